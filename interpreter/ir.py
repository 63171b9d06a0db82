"""The checked tree: every name resolved, every expression typed. What `check` gives and `compile` reads.

`E` is an expression, `X` a statement; `op` says which, `a` holds its parts in the order given in the
lists below. Both keep the place of their words in the file.

Expressions (op: parts -> meaning)
  const: value                       number, truth, text (str), None, symbol (its number), player (seat)
  local: py                          a local name or parameter; `you` is the local "you"
  now:                               seconds since the game began
  left: timer                        seconds until a running timer runs out, else 0
  active:                            the player whose turn it is
  this:                              the piece whose text this is
  it: index                          part of the event: 0 is its doer (`it.you`), 1.. its arguments, -1 the result
  memory: FieldDecl                  memory of the standing effect whose text this is
  argument: index                    parameter of the standing effect whose text this is
  option: name                       an option of the game
  game: FieldDecl[, key] | resource: Resource, player|None     a field or resource of the game / of a player
  span: FieldDecl                    memory of the innermost span of that name
  inside: Span                       whether we are in that span
  field: FieldDecl, object, key|None a field of a piece or player (key for level(colour))
  fields: FieldDecls, object, key|None   where several kinds have it: that of the piece's own kind, or none
  own: kind name, player             the one piece of that kind that a player has (`you.ship`)
  face: object                       number of the face that is up (a symbol of type "KIND face")
  where: object                      the zone that a piece is in
  holder: object, kind               the piece (of that kind) or player (kind "player") whose zone it is in, or none
  spot_of: object                    where a disc lies on a plane, or none
  axis: spot, 0|1                    x or y of a spot
  radius: object                     of a disc
  path_part: path, index             what is known of a flick: from, to, struck, touched, left, moved
  zone: Zone, owner|None             a zone
  box:                               the box
  content: zone                      the pieces of a zone, as a list
  piece: Component                   the one piece of that name
  design: Component                  the name of a component that has several pieces
  design_of: object | kind_of: object
  kind: kind name                    a kind as a value
  pieces: kind name                  all pieces of a kind in the game, as a list
  of_kind: kind expression           all pieces of a kind given as a value
  symbols: symbol type               all its symbols
  players:                           all players by seat
  opponent: player
  call: Routine, args                a value (you among the args where it is a parameter)
  table: TableDecl, args
  function: word, args               built-in functions (size, last, top, nth, reverse, shift, half_up, half_down, …)
  fold: word, binders, where|None, key|None, value|None     binders: ((py, type, list expression), …)
  can: Routine, args                 whether its head can be met
  can_run: object, slot, kinds
  not: x | and: items | or: items | minus: x
  compare: op, left, right           < <= > >=
  same: left, right                  is
  like: object, kind name            is a piece of that kind
  named: object, Component           is a piece of that name (several copies)
  of_type: object, kind expression   its kind is that value
  member: item, list
  sum: op, left, right               + - * / //
  if: test, yes, no
  list: items
  range: low, high                   whole numbers, both ends in
  text: parts                        parts: str or expressions; on the table ("pad", expression, width, "<>^")

Statements
  let: py, value                     a new local
  need: test, text|None              text is an expression of op "text"
  choose: Ask                        see below
  one: player, prompt|None, options  options: ((label text, test|None, body), …)
  may: player, label text, body, otherwise          a yes or no question
  if: branches, otherwise            branches: ((test, body), …)
  each: binders, where, key, body    plain loop; its set is fixed at the start
  each_ordered: binders, where, key, body, py_you   a player chooses which comes next
  repeat: count, test|None, body
  as: py, player, body               body uses local py as its `you`
  as_each: py, players, body
  at_once: py, players, body
  during: Span, args, body           args by the span's parameters except `you`; you is the local of `you`
  return: value|None
  call: Routine, args, py|None       a procedure; args start with `you`; py receives the result
  set: target, value | add: target, value | take: target, value    target is an expression of op
                                     local, game, span, field, fields, resource, memory, it; add/take: number, list
  gain: resource, player|None, n | lose: … | pay: …
  pay_from: target, n
  give: resource, from, to, n        a resource from one player to another
  move: what, zone, how              what: piece or list; how: "" | "under" | "first"
  place: what, zone, spot            lays a disc on a plane
  move_some: n, kind expr, zone from, zone to, py|None      counted pieces of a kind
  draw: n, zone from, zone to, py|None
  flip: what | turn: what, direction
  shuffle: zone
  swap_zones: a, b | swap_targets: a, b | swap_pieces: a, b
  show: what, players
  roll: count, sides, py, new        new: whether py is a new local
  run: object, slot, kinds           kinds: names of kinds it may be
  begin: Effect, args
  end: Span | end_game: reason text|None
  open: Menu
  proceed:
  say: text
  start: timer, target|None, seconds, py of you|None | stop: timer | flick: object, py
  fix_rolls: numbers | stack: zone, items | fix_flick: disc, spot, touched | fix_push: disc, spot, ()   (scenarios only)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .diagnostics import Place
from .types import Type


@dataclass(slots=True, eq=False)
class E:
    op: str
    type: Type
    a: tuple[Any, ...]
    place: Place


@dataclass(slots=True, eq=False)
class X:
    op: str
    a: tuple[Any, ...]
    place: Place


@dataclass(slots=True, eq=False)
class Ask:
    """`choose` and `may choose`: who is asked for what, and what follows.

    how "one": each binder in turn is one choice; the locals hold the chosen things.
    Otherwise one binder, picked item by item into a list: low to high items (expressions; None: no bound).
    """

    player: E
    prompt: E | None
    how: str  # "one" or "set"
    low: E | None
    high: E | None
    binders: tuple[tuple[str, Type, E], ...]  # python name, type of an item, list expression
    where: E | None
    words: tuple[str, ...]  # the names as written, for prompts
    may: bool = False  # may pass
    body: list[X] = field(default_factory=list)  # of `may choose …:`; runs when something was chosen
    otherwise: list[X] = field(default_factory=list)
    results: tuple[str, ...] = ()  # for how "set": the local that receives the list

    @property
    def name_of_set(self) -> str:
        return self.results[0]
