"""Words for what is in a game: labels for people, keys for answers, data for views.

Takes values with their types, gives text. A piece that a viewer cannot see appears as its back.
"""

from __future__ import annotations

import re
from typing import Any

from .compass import angle_of, name_of
from .runtime import PICK_BACK
from .slots import ASK, CONT, OPTIONS, PLAYER

MOST_WORDS = 6  # pieces that the key of a group names

NAMES = (
    "ada",
    "bo",
    "cy",
    "di",
    "ed",
    "flo",
    "gus",
    "hal",
    "ina",
    "jo",
    "kim",
    "leo",
    "max",
    "nia",
    "ova",
    "pia",
)


def number(n: Any) -> str:
    return str(int(n)) if n == int(n) else str(n)


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") or "option"

SHORT = 3  # a name of so many letters stands on a map as it is


class Speaker:
    """Names things at one table."""

    def __init__(self, table: Any) -> None:
        self.table, self.ns, self.image = table, table.ns, table.image
        self.designs = list(table.design_index)
        self.viewer: Any = ...  # whom a drawing is for; a piece hidden from them has no name
        table.ns["SPEAK"] = self.say
        table.ns["sees"] = self.sees

    # ---- plain words ----

    def say(self, S: Any, value: Any, kind: int) -> str:
        return self.words(S, value, self.image["types"][kind])

    def words(self, S: Any, value: Any, kind: Any) -> str:
        base, of, _ = kind
        if value is None:
            return "nothing"
        if base == "number":
            return number(value)
        if base == "truth":
            return "yes" if value else "no"
        if base == "symbol":
            return str(self.image["symbols"][of][value]).replace("_", " ")
        if base == "player":
            return f"player {value + 1}"
        if base == "piece":
            if self.viewer is not ... and self.hidden(S, value, self.viewer):
                return "?"
            return self.face_label(S, value)
        if base == "design":
            return str(self.image["components"][self.designs[value]]["title"])
        if base == "kind":
            return str(self.image["kinds"][value]["title"])
        if base == "zone":
            return str(self.ns["ZONE_TITLE"].get(value, "zone"))
        if base == "list":
            return ", ".join(self.words(S, v, of) for v in value) or "nothing"
        if base == "spot":
            return f"{value[0]}, {value[1]}"
        if base == "path":
            return f"from {value[0][0]}, {value[0][1]}"
        return str(value)

    def told(self, S: Any, number: int, values: Any) -> str:
        """A line of news in words: its texts, and between them what it is about."""
        rest = iter(values)
        parts = self.image["tells"][number]
        return "".join(p if isinstance(p, str) else self.say(S, next(rest), p) for p in parts)

    def title(self, x: int) -> str:
        design = self.table.design_of[x]
        if design is not None:
            return str(self.image["components"][self.designs[design]]["title"])
        spot = self.ns["SPOTS"].get(x)
        if spot is not None:
            column, row, numbered, _ = spot
            return f"column {column}, row {row}" if numbered else self.id(x)
        return str(self.image["kinds"][self.table.kind_of[x]]["title"])

    def id(self, x: int) -> str:
        design = self.table.design_of[x]
        if design is not None:
            return str(self.designs[design])
        spot = self.ns["SPOTS"].get(x)
        if spot is not None:
            column, row, numbered, _ = spot
            if numbered:
                return f"c{column}r{row}"
            last = chr(97 + (column - 1) % 26)
            return f"{last if column <= 26 else chr(96 + (column - 1) // 26) + last}{row}"
        return str(self.image["kinds"][self.table.kind_of[x]]["name"])

    # ---- options ----

    def options(self, S: Any) -> tuple[list[str], list[str]]:
        """Keys and labels of the open decision."""
        values, ask = S[OPTIONS], S[ASK]
        if ask < 0:
            return self.menu(S, values, self.ns["MENUS"][-1 - ask])
        info = self.ns["ASKS"][ask]
        if info["sort"] == "may":
            return ["yes" if v else "no" for v in values], ["Yes" if v else "No" for v in values]
        if info["sort"] == "one":
            labels = [str(self.ns[info["labels"]](S, S[CONT], v)) for v in values]
            return unique([slug(x) for x in labels]), labels
        kind = self.image["types"][info["type"]]
        real = [v for v in values if v is not None]
        keys, labels = self.pieces(S, real, S[0]) if kind[0] == "piece" else self.plain(S, real, kind)
        if len(real) < len(values):
            done = "done" if info["sort"] == "set" else "pass"
            keys, labels = [*keys, done], [*labels, "Done" if done == "done" else "Pass"]
        return keys, labels

    def menu(self, S: Any, values: Any, menu: Any) -> tuple[list[str], list[str]]:
        keys, labels = [], []
        for value in values:
            if value is None:
                keys.append("done")
                labels.append(str(menu["stop_text"](S, S[0])))
                continue
            if value == "wait":
                keys.append("wait")
                labels.append("Wait")
                continue
            number_, this, age = (value, None, None) if type(value) is int else value
            routine = self.ns["ROUTINES"][number_]
            keys.append(routine["name"])
            label = self.ns.get(f"label_{routine['py']}")
            args = (S[0], this, age) if routine["self"] else (S[0],)
            labels.append(str(label(S, *args)) if label is not None else routine["title"])
        return unique(keys), labels

    def plain(self, S: Any, values: Any, kind: Any) -> tuple[list[str], list[str]]:
        labels = [self.words(S, v, kind) for v in values]
        if kind[0] == "symbol":
            keys = [str(self.image["symbols"][kind[1]][v]) for v in values]
        elif kind[0] == "number":
            keys = labels
        elif kind[0] == "player":
            keys = [f"player_{v + 1}" for v in values]
        elif kind[0] == "design":
            keys = [self.designs[v] for v in values]
        elif kind[0] == "kind":
            keys = [str(self.image["kinds"][v]["name"]) for v in values]
        elif kind[0] == "spot":
            keys = self.spots(S, values)
            labels = [f"{x}, {y}" if "_" in key else f"{key} ({x}, {y})" for key, (x, y) in zip(keys, values, strict=True)]
        elif kind[0] == "list" and kind[1][0] == "piece":
            keys = [self.group_key(S, v) for v in values]
            labels = [self.group(S, v) for v in values]
        else:
            keys = [slug(x) for x in labels]
        return unique(keys), [x[:1].upper() + x[1:] for x in labels]

    def group_key(self, S: Any, pieces: Any) -> str:
        """The names of the pieces, each once; of many the first, and how many there are besides."""
        seen = [not self.hidden(S, x, S[PLAYER]) for x in pieces]
        words = list(
            dict.fromkeys(
                self.face_word(S, x) if known else self.root(x)["name"]
                for x, known in zip(pieces, seen, strict=True)
            )
        )
        if len(words) > MOST_WORDS:
            return f"{slug(words[0])}_and_{len(pieces) - 1}_more"
        return slug("_".join(words))

    def group(self, S: Any, pieces: Any) -> str:
        words: dict[str, int] = {}
        for x in pieces:
            hidden = self.hidden(S, x, S[PLAYER])
            label = f"a hidden {self.root(x)['title']}" if hidden else self.face_label(S, x)
            words[label] = words.get(label, 0) + 1
        return ", ".join(f"{n} × {w}" if n > 1 else w for w, n in words.items())

    def face_values(self, S: Any, x: int) -> list[tuple[str, str]]:
        """What is printed on the face that is up, as words."""
        table = self.table
        kind = self.image["kinds"][table.kind_of[x]]
        found = []
        if kind["faces"]:
            face = kind["faces"][S[self.ns["FACE"] + x]]
            for ancestor in table.ancestors[kind["name"]]:
                for (owner, name), field in table.field_info.items():
                    if owner == ancestor and field["faced"]:
                        found.append((name, self.words(S, table.printed(field, x, face), field["type"])))
        return found

    def face_word(self, S: Any, x: int) -> str:
        values = self.face_values(S, x)
        return slug(values[0][1]) if values else self.id(x)

    def face_label(self, S: Any, x: int) -> str:
        values = self.face_values(S, x)
        return " ".join(v for _, v in values) if values else self.title(x)

    def hidden(self, S: Any, x: int, player: Any) -> bool:
        if not self.table.hides:
            return False
        ns, viewer = self.ns, self.table.players if player is None else player
        if self.table.rests(x):
            return False
        return not (ns["ZONE_SEES"][S[ns["LOC"] + x]] >> viewer & 1) and not ns["remembers"](S, x, viewer)

    def root(self, x: int) -> Any:
        """What a hidden piece may be called: the first of its line of kinds."""
        kind = self.image["kinds"][self.table.kind_of[x]]
        return self.image["kinds"][self.table.kind_index[self.table.ancestors[kind["name"]][-1]]]

    def sees(self, S: Any, player: Any, pieces: Any) -> bool:
        return not any(self.hidden(S, x, player) for x in pieces)

    def pieces(self, S: Any, values: Any, player: Any) -> tuple[list[str], list[str]]:
        """Each piece by its name, and by where it is or whose it is where names are alike."""
        ns = self.ns
        keys, labels = [], []
        for x in values:
            if self.hidden(S, x, player):
                keys.append(self.root(x)["name"])
                labels.append(f"a hidden {self.root(x)['title']}")
            elif self.image["kinds"][self.table.kind_of[x]]["faces"]:
                keys.append(slug("_".join(v for _, v in self.face_values(S, x)) or self.id(x)))
                labels.append(self.face_label(S, x))
            else:
                keys.append(self.id(x))
                labels.append(self.title(x))

        def owner(x: int) -> tuple[str, str]:
            who = ns["OWNER_OF"](S, x)
            return ("", "") if who is None else (NAMES[who], f"of player {who + 1}")

        def holder(x: int) -> tuple[str, str]:
            zone = self.table.where(S, x)
            name, who = self.table.zone_at[zone]
            if who is None or name == "box":
                return (name, f"in {ns['ZONE_TITLE'][zone]}")
            if ns["ZONE_PLAYER"][zone] is not None:
                return (f"{name}_{NAMES[who]}", f"in the {ns['ZONE_TITLE'][zone]} of player {who + 1}")
            return (self.id(who), f"at {self.title(who)}")

        def order(x: int) -> tuple[str, str]:
            ring = ns["RINGS"].get(x)
            return ("", "") if ring is None else (str(ring[1] + 1), str(ring[1] + 1))

        def contents(x: int) -> tuple[str, str]:
            for base in ns["TWIN_ZONES"][self.table.kind_of[x]]:
                inside = S[base + x]
                if inside:
                    return (slug(self.face_word(S, inside[0])), "with " + self.group(S, inside))
            return ("empty", "empty") if ns["TWIN_ZONES"][self.table.kind_of[x]] else ("", "")

        def lies(x: int) -> tuple[str, str]:
            spot = S[ns["AT"] + x] if ns["PLANES"] else None
            if spot is None:
                return ("", "")
            if x in ns["FACED"]:  # which one it is may be hidden, where it lies is not
                return (f"{spot[0]}_{spot[1]}", f"at {spot[0]}, {spot[1]}")
            return (str(self.number_of(x)), f"{self.number_of(x)} at {spot[0]}, {spot[1]}")

        for tell in (owner, holder, lies, order, contents):
            twins: dict[str, list[int]] = {}
            for index, key in enumerate(keys):
                twins.setdefault(key, []).append(index)
            for group in twins.values():
                told = [tell(values[i]) for i in group]
                if len(group) > 1 and len(set(told)) > 1:
                    for i, (key, label) in zip(group, told, strict=True):
                        if key:
                            keys[i], labels[i] = f"{keys[i]}_{key}", f"{labels[i]} {label}"
        return unique(keys), [x[:1].upper() + x[1:] for x in labels]

    def prompt(self, S: Any) -> str:
        ask = S[ASK]
        if ask < 0:
            menu = self.ns["MENUS"][-1 - ask]
            return str(menu["prompt_text"](S, S[0])) if menu["prompt_text"] is not None else menu["title"]
        info = self.ns["ASKS"][ask]
        if info["prompt"] is not None:
            # A set may be picked in a frame of the runtime's own, above that of the rule.
            frame = S[CONT][1] if S[CONT][0] == PICK_BACK else S[CONT]
            text = str(self.ns[info["prompt"]](S, frame))
            return text + "?" if info["sort"] == "may" and not text.endswith(("?", ".", "!")) else text
        if info["sort"] == "one":
            return f"{info['routine']}: choose one" if info["routine"] else "Choose one"
        if "shot" in info:
            disc, angle = self.ns[info["shot"]](S, S[CONT])
            title = self.pieces(S, [disc], S[PLAYER])[1][0]
            said = f"{title}: {'which angle' if angle is None else f'how hard towards {name_of(angle)}'}?"
            return f"{info['routine']}: {said}" if info["routine"] else said
        word = info["word"].replace("_", " ")
        start = f"{info['routine']}: choose" if info["routine"] else "Choose"
        return f"{start} {word}" + (", or pass" if info["may"] else "")


    # ---- planes ----

    def number_of(self, x: int) -> int:
        """Which of its like a piece is: as long as it lies in the open, everybody can tell it from others."""
        table = self.table
        same = (table.kind_of[x], table.design_of[x], table.owner_at[x])
        first = x
        while first and (table.kind_of[first - 1], table.design_of[first - 1], table.owner_at[first - 1]) == same:
            first -= 1
        return x - first + 1

    def spots(self, S: Any, values: Any) -> list[str]:
        """Spots by their direction from the disc around which all of them lie; else by their numbers."""
        ns = self.ns
        best = None
        for zone in ns["PLANES"]:
            for x in S[zone]:
                if S[ns["AT"] + x] is None:
                    continue
                far = [ns["apart"](S, x, spot) for spot in values]
                if far and max(far) - min(far) <= 1 and (best is None or far[0] < best[0]):
                    best = (far[0], x)
        if best is None or best[0] == 0:
            return [f"{x}_{y}" for x, y in values]
        return [name_of(ns["bearing"](S, best[1], spot)) for spot in values]

    def shot(self, S: Any) -> tuple[int, int | None] | None:
        """The disc that is about to be flicked, and the angle if it has been chosen."""
        info = self.ns["ASKS"][S[ASK]] if S[PLAYER] is not None and S[ASK] >= 0 else {}
        return self.ns[info["shot"]](S, S[CONT]) if "shot" in info else None

    def targets(self, S: Any, disc: int) -> dict[str, int]:
        """The other discs on the plane, by the names under which whoever is asked may aim at them."""
        ns = self.ns
        others = [x for x in S[S[ns["LOC"] + disc]] if x != disc and S[ns["AT"] + x] is not None]
        return dict(zip(unique([self.disc_key(S, x) for x in others]), others, strict=True))

    def disc_key(self, S: Any, x: int) -> str:
        """A name for a disc that stays the same as long as it lies there, whatever else does."""
        if x in self.ns["FACED"]:
            spot = S[self.ns["AT"] + x]
            return f"{self.image['kinds'][self.table.kind_of[x]]['name']}_{spot[0]}_{spot[1]}"
        design, owner = self.table.design_of[x], self.ns["OWNER_OF"](S, x)
        if design is not None and self.image["components"][self.designs[design]]["copies"] == 1:
            return self.id(x) if owner is None else f"{self.id(x)}_{NAMES[owner]}"
        whose = "" if owner is None else f"_{NAMES[owner]}"
        return f"{self.id(x)}{whose}" + ("" if self.is_alone(x) else f"_{self.number_of(x)}")

    def is_alone(self, x: int) -> bool:
        """Whether its owner, or the table, has only this one of its kind or design."""
        kind, design = self.image["kinds"][self.table.kind_of[x]], self.table.design_of[x]
        if design is not None:
            return bool(self.image["components"][self.designs[design]]["copies"] == 1)
        return bool((kind["per_player"] if kind["per_player"] else kind["count"]) == 1)

    def disc_title(self, S: Any, x: int, you: Any) -> str:
        """A disc as people call it: `boat 2`, and `boat 2 of player 1` for everybody but player 1."""
        if x in self.ns["FACED"]:
            spot = S[self.ns["AT"] + x]
            return self.face_label(S, x) + ("" if spot is None else f" at {spot[0]}, {spot[1]}")
        owner = self.ns["OWNER_OF"](S, x)
        number = "" if self.is_alone(x) else f" {self.number_of(x)}"
        return self.title(x) + number + ("" if owner in (None, you) else f" of player {owner + 1}")

    def marks(self, S: Any, disc: int) -> dict[str, int]:
        """The other discs, the nearest first, by what stands for them on a map: a short name, or a letter."""
        targets = self.targets(S, disc)
        near = sorted((self.ns["gap"](S, disc, x), x, key) for key, x in targets.items())
        letters = iter(c for c in "abcdefghijklmnopqrstuvwxyz" if c not in targets)
        found = {}
        for _, x, key in near:
            mark = key if len(key) <= SHORT else next(letters, None)
            if mark is not None:
                found[mark] = x
        return found

    def angle(self, S: Any, text: str) -> int | None:
        """The angle that a word means where one is asked for: `n30e`, or `at NAME` of a disc."""
        shot = self.shot(S)
        if shot is None or shot[1] is not None:
            return None
        found = angle_of(text)
        if found is not None or not text.casefold().startswith("at "):
            return found
        wanted = slug(text[3:])
        targets = self.targets(S, shot[0])
        hits = [x for names in (targets, self.marks(S, shot[0])) for key, x in names.items() if key == wanted][:1]
        hits = hits or [x for x in targets.values() if slug(self.disc_title(S, x, S[PLAYER])) == wanted]
        hits = hits or [x for key, x in targets.items() if key.startswith(wanted)]
        hits = hits or [x for x in targets.values() if slug(self.title(x)) == wanted]
        return self.ns["bearing"](S, shot[0], hits[0]) if len(hits) == 1 else None

    def in_the_way(self, S: Any, disc: int, angle: int) -> list[tuple[int, int]]:
        """The discs that a disc would meet if it went straight on: how far it slides to each, nearest first."""
        ns = self.ns
        x, y = S[ns["AT"] + disc]
        ux, uy = ns["SINES"][angle], ns["SINES"][(angle + 90) % 360]
        zone = S[ns["LOC"] + disc]
        found = []
        for other in S[zone]:
            spot = S[ns["AT"] + other]
            if other == disc or spot is None or other in ns["PLANES"][zone]["flat"]:
                continue
            dx, dy, both = spot[0] - x, spot[1] - y, ns["RADIUS"][disc] + ns["RADIUS"][other]
            along = (dx * ux + dy * uy) // 10**9
            aside = dx * dx + dy * dy - along * along
            if along > 0 and aside < both * both:
                found.append((max(0, along - ns["ROOT"](both * both - aside)), other))
        return sorted(found)

    def tips(self, S: Any) -> list[int]:
        """Indexes of angles towards other discs; of powers that reach what lies in the way, or pass beyond."""
        ns, shot = self.ns, self.shot(S)
        if shot is None:
            return []
        disc, angle = shot
        if angle is None:
            others = [x for x in S[S[ns["LOC"] + disc]] if x != disc and S[ns["AT"] + x] is not None]
            return sorted({a for x in others if (a := ns["bearing"](S, disc, x)) is not None})
        reach = ns["PLANES"][S[ns["LOC"] + disc]]["reach"]
        powers = [way * 100 // reach + more for way, _ in self.in_the_way(S, disc, angle)[:3] for more in (-1, 2, 15)]
        return sorted({p - 1 for p in powers if 1 <= p <= 100})

    def flick(self, S: Any, news: Any) -> str:
        """A flick in a sentence."""
        _, who, disc, angle, power, (_, touched, struck, left) = news
        met = [self.disc_title(S, x, who) for x in touched if x != struck]
        said = f"Player {who + 1} flicks {self.disc_title(S, disc, who)} towards {name_of(angle)} with power {power}"
        if met:
            said += f"; it touches {', '.join(met)}"
        if struck is not None:
            said += f"; it strikes {self.disc_title(S, struck, who)} and halts"
        gone = [self.disc_title(S, x, who) for x in left]
        return said + (f"; off the board: {', '.join(gone)}." if gone else ".")


def unique(keys: list[str]) -> list[str]:
    """Numbers what is still alike."""
    total: dict[str, int] = {}
    for key in keys:
        total[key] = total.get(key, 0) + 1
    seen: dict[str, int] = {}
    taken = set(keys)
    made = []
    for key in keys:
        if total[key] == 1:
            made.append(key)
            continue
        seen[key] = seen.get(key, 0) + 1
        name = f"{key}_{seen[key]}"
        while name in taken and total.get(name):
            seen[key] += 1
            name = f"{key}_{seen[key]}"
        made.append(name)
    return made
