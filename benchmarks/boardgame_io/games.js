// The primer games as games of boardgame.io. `options` tells a random player what may be done.
'use strict';

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

const tic_tac_toe = {
  game: {
    setup: () => ({ cells: Array(9).fill(null) }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      choose: ({ G, playerID }, cell) => {
        if (G.cells[cell] !== null) return 'INVALID_MOVE';
        G.cells[cell] = playerID;
      },
    },
    endIf: ({ G, ctx }) => {
      if (LINES.some((line) => line.every((cell) => G.cells[cell] === ctx.currentPlayer))) {
        return { winner: ctx.currentPlayer };
      }
      if (G.cells.every((cell) => cell !== null)) return { draw: true };
    },
  },
  options: (G) => G.cells.flatMap((cell, number) => (cell === null ? [number] : [])),
  player: (G, ctx) => ctx.currentPlayer,
};

function four(columns, column, row, player) {
  const disc = (x, y) => (columns[x] !== undefined ? columns[x][y] : undefined);
  for (const [across, up] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
    let count = 1;
    for (const way of [1, -1]) {
      let x = column + way * across, y = row + way * up;
      while (disc(x, y) === player) {
        count += 1;
        x += way * across;
        y += way * up;
      }
    }
    if (count >= 4) return true;
  }
  return false;
}

const connect_four = {
  game: {
    setup: () => ({ columns: Array.from({ length: 7 }, () => []), winner: null }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      choose: ({ G, playerID }, column) => {
        if (G.columns[column].length >= 6) return 'INVALID_MOVE';
        G.columns[column].push(playerID);
        if (four(G.columns, column, G.columns[column].length - 1, playerID)) G.winner = playerID;
      },
    },
    endIf: ({ G }) => {
      if (G.winner !== null) return { winner: G.winner };
      if (G.columns.every((column) => column.length === 6)) return { draw: true };
    },
  },
  options: (G) => G.columns.flatMap((column, number) => (column.length < 6 ? [number] : [])),
  player: (G, ctx) => ctx.currentPlayer,
};

const RANKS = { jack: 1, queen: 2, king: 3 };

const kuhn_poker = {
  game: {
    setup: ({ random }) => {
      const deck = random.Shuffle(['jack', 'queen', 'king']);
      return { hands: [deck[0], deck[1]], chips: [1, 1], pot: 2, history: [], bettor: null, over: false };
    },
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      choose: ({ G, playerID }, move) => {
        const me = Number(playerID);
        if (!kuhn_poker.options(G).includes(move)) return 'INVALID_MOVE';
        G.history.push(move);
        const take = (who) => {
          G.chips[who] += G.pot;
          G.pot = 0;
          G.over = true;
        };
        if (move === 'bet' || move === 'call') {
          G.chips[me] -= 1;
          G.pot += 1;
        }
        if (move === 'bet') G.bettor = me;
        else if (move === 'fold') take(G.bettor);
        else if (move === 'call' || G.history.length === 2) {
          take(RANKS[G.hands[0]] > RANKS[G.hands[1]] ? 0 : 1);
        }
      },
    },
    endIf: ({ G }) => (G.over ? { chips: G.chips } : undefined),
  },
  options: (G) => (G.bettor === null ? ['check', 'bet'] : ['fold', 'call']),
  player: (G, ctx) => ctx.currentPlayer,
};

const LANTERNS = {
  paper_lantern: { cost: 1, light: 1, copies: 6 },
  silk_lantern: { cost: 3, light: 2, copies: 5 },
  moon_lantern: { cost: 3, light: 1, copies: 3 },
  twin_lantern: { cost: 2, light: 1, copies: 4 },
  owl_lantern: { cost: 2, light: 0, copies: 3 },
  tea_lantern: { cost: 1, light: 0, copies: 3 },
  gossip_lantern: { cost: 1, light: 0, copies: 3 },
  lion_lantern: { cost: 2, light: 1, copies: 3 },
};
const ERRANDS = {
  pickpocket: 3, sudden_gust: 3, street_collection: 2, fortune_teller: 3, extra_hands: 2, festival_drum: 4, drizzle: 2,
};
const different = (cards) => [...new Set(cards)];
const count = (cards, name) => cards.filter((card) => card === name).length;
const remove = (cards, card) => cards.splice(cards.indexOf(card), 1);
const rivals = (G) => G.players.map((_, number) => number).filter((number) => number !== G.active);
const guarded = (player) => player.stall.includes('lion_lantern');
const pockets = (G) => rivals(G).filter((n) => G.players[n].silver > 0 && !guarded(G.players[n]));
const windy = (G) => rivals(G).filter((n) => G.players[n].stall.length > 0 && !guarded(G.players[n]));

function ask(G, player, question, options, details) {
  G.player = player;
  G.question = question;
  G.options = options;
  G.details = details === undefined ? null : details;
}

function later(G, ...steps) {
  G.todo.push(...steps.reverse());
}

function toHang(G) {
  const player = G.players[G.active];
  if (player.stall.length >= 4) return [];
  return different(player.hand.filter((card) => LANTERNS[card] && LANTERNS[card].cost <= player.silver));
}

function canRun(G, card) {
  if (card === 'pickpocket') return pockets(G).length > 0;
  if (card === 'sudden_gust') return windy(G).length > 0;
  if (card === 'fortune_teller') return G.pile.length > 0;
  return true;
}

const toRun = (G) => different(G.players[G.active].hand.filter((card) => ERRANDS[card] && canRun(G, card)));

function glow(G, player, lantern) {
  let light = LANTERNS[lantern].light + G.drums;
  if (lantern === 'moon_lantern' && G.emptied > 0) light += 2;
  if (lantern === 'twin_lantern') light += count(player.stall, 'twin_lantern') - 1;
  return G.drizzles ? Math.max(0, light - G.drizzles) : light;
}

function askSet(G, question, low, high, cards, picked) {
  if (picked.length === high || cards.length === 0) return setIsPicked(G, question, picked);
  const missing = low - picked.length;
  const options = different(missing > 1 ? cards.slice(0, cards.length - missing + 1) : cards);
  if (missing <= 0) options.push('done');
  ask(G, G.active, question, options, { low, high, cards, picked });
}

function answerSet(G, question, move, { low, high, cards, picked }) {
  if (move === 'done') setIsPicked(G, question, picked);
  else askSet(G, question, low, high, cards.slice(cards.indexOf(move) + 1), [...picked, move]);
}

function setIsPicked(G, question, picked) {
  const player = G.players[G.active];
  for (const card of picked) {
    remove(player.hand, card);
    G.discards.push(card);
  }
  if (question === 'peddle') player.silver += picked.length;
}

const sorted = (hand) => different(hand).flatMap((name) => hand.filter((card) => card === name));

const STEPS = {
  start_round(G) {
    G.round += 1;
    G.drizzles = G.coming;
    G.coming = 0;
    later(G, ...G.players.map((_, number) => ['start_turn', number]), ['end_round']);
  },
  end_round(G) {
    G.drizzles = 0;
    if (G.players.some((player) => player.silver >= G.goal)) G.over = 'a fortune is made';
    else if (G.emptied > 1) G.over = 'dawn has come';
    else if (G.round === 100) G.over = 'all rounds are played';
    else later(G, ['start_round']);
  },
  start_turn(G, random, number) {
    G.active = number;
    const player = G.players[number];
    const amount = 2 + count(player.stall, 'owl_lantern');
    for (let i = 0; i < amount; i += 1) {
      if (G.pile.length === 0 && G.emptied < 2) G.emptied += 1;
      if (G.emptied < 2) {
        if (G.pile.length === 0) {
          G.pile = random.Shuffle(G.discards);
          G.discards = [];
        }
        if (G.pile.length > 0) player.hand.push(G.pile.pop());
      }
    }
    later(G, ['work'], ['welcome_guests'], ['tidy_hand']);
  },
  welcome_guests(G) {
    const player = G.players[G.active];
    for (const lantern of player.stall) player.silver += glow(G, player, lantern);
  },
  tidy_hand(G) {
    G.drums = 0;
    const { hand } = G.players[G.active];
    if (hand.length > 5) askSet(G, 'discard', hand.length - 5, hand.length - 5, sorted(hand), []);
  },
  work(G) {
    const options = [];
    if (toHang(G).length) options.push('hang_lantern');
    if (toRun(G).length) options.push('run_errand');
    if (G.players[G.active].hand.length) options.push('peddle');
    ask(G, G.active, 'work', [...options, 'done']);
  },
  serve_tea(G) {
    const player = G.players[G.active];
    player.silver += count(player.stall, 'tea_lantern');
  },
  pickpocket: (G) => askVictim(G, 'pocket', pockets(G)),
  sudden_gust: (G) => askVictim(G, 'gust', windy(G)),
  street_collection(G) {
    const asked = rivals(G).filter((n) => G.players[n].silver > 0 || G.players[n].hand.length > 0);
    later(G, ...asked.map((number) => ['pass_hat', number]));
  },
  pass_hat(G, random, number) {
    const options = [];
    if (G.players[number].silver > 0) options.push('silver');
    if (G.players[number].hand.length > 0) options.push('card');
    ask(G, number, 'hat', options);
  },
  fortune_teller(G) {
    const shown = [];
    while (shown.length < 3 && G.pile.length > 0) shown.push(G.pile.pop());
    ask(G, G.active, 'fortune', different(shown), shown);
  },
  extra_hands: (G) => later(G, ['work'], ['work']),
  festival_drum(G) { G.drums += 1; },
  drizzle(G) { G.coming += 1; },
};

function askVictim(G, question, victims) {
  if (victims.length === 1) ANSWERS[question](G, victims[0]);
  else ask(G, G.active, question, victims);
}

function takeDown(G, victim) {
  const lanterns = different(G.players[victim].stall);
  G.player = victim;
  if (lanterns.length === 1) ANSWERS.take_down(G, lanterns[0]);
  else ask(G, victim, 'take_down', lanterns);
}

const ANSWERS = {
  discard: (G, move, details) => answerSet(G, 'discard', move, details),
  peddle: (G, move, details) => answerSet(G, 'peddle', move, details),
  work(G, move) {
    if (move === 'hang_lantern') ask(G, G.active, 'lantern', toHang(G));
    else if (move === 'run_errand') ask(G, G.active, 'errand', toRun(G));
    else if (move === 'peddle') askSet(G, 'peddle', 1, 2, sorted(G.players[G.active].hand), []);
  },
  lantern(G, card) {
    const player = G.players[G.active];
    player.silver -= LANTERNS[card].cost;
    remove(player.hand, card);
    player.stall.push(card);
    for (const number of rivals(G)) G.players[number].silver += count(G.players[number].stall, 'gossip_lantern');
  },
  errand(G, card) {
    remove(G.players[G.active].hand, card);
    G.discards.push(card);
    later(G, [card], ['serve_tea']);
  },
  pocket(G, victim) {
    const loot = Math.min(2, G.players[victim].silver);
    G.players[victim].silver -= loot;
    G.players[G.active].silver += loot;
  },
  gust(G, victim) {
    if (G.players[victim].silver >= 2) ask(G, victim, 'shaken', ['take_down', 'pay']);
    else takeDown(G, victim);
  },
  shaken(G, move) {
    if (move === 'pay') {
      G.players[G.player].silver -= 2;
      G.players[G.active].silver += 2;
    } else takeDown(G, G.player);
  },
  take_down(G, lantern) {
    remove(G.players[G.player].stall, lantern);
    G.discards.push(lantern);
  },
  hat(G, move) {
    if (move === 'silver') {
      G.players[G.player].silver -= 1;
      G.players[G.active].silver += 1;
    } else ask(G, G.player, 'gift', different(G.players[G.player].hand));
  },
  gift(G, card) {
    remove(G.players[G.player].hand, card);
    G.discards.push(card);
  },
  fortune(G, card, shown) {
    G.players[G.active].hand.push(card);
    const rest = [...shown];
    remove(rest, card);
    G.pile.unshift(...rest);
  },
};

function goOn(G, random) {
  while (G.options.length === 0 && !G.over) {
    const [step, value] = G.todo.pop();
    STEPS[step](G, random, value);
  }
}

const lantern_market = {
  game: {
    setup: ({ ctx, random }) => {
      const pile = [];
      for (const [name, { copies }] of Object.entries(LANTERNS)) for (let i = 0; i < copies; i += 1) pile.push(name);
      for (const [name, copies] of Object.entries(ERRANDS)) for (let i = 0; i < copies; i += 1) pile.push(name);
      const G = {
        pile: random.Shuffle(pile), discards: [], players: [], goal: 28 - 4 * ctx.numPlayers, emptied: 0, round: 0,
        drums: 0, drizzles: 0, coming: 0, active: 0, player: 0, question: '', options: [], details: null,
        over: '', todo: [['start_round']],
      };
      for (let i = 0; i < ctx.numPlayers; i += 1) {
        const hand = [];
        for (let j = 0; j < 5; j += 1) hand.push(G.pile.pop());
        G.players.push({ silver: 3, hand, stall: [] });
      }
      goOn(G, random);
      return G;
    },
    turn: { activePlayers: { all: '' } },
    moves: {
      choose: ({ G, playerID, random }, move) => {
        if (Number(playerID) !== G.player || !G.options.includes(move)) return 'INVALID_MOVE';
        G.options = [];
        ANSWERS[G.question](G, move, G.details);
        goOn(G, random);
      },
    },
    endIf: ({ G }) => (G.over ? { silver: G.players.map((player) => player.silver), reason: G.over } : undefined),
  },
  options: (G) => G.options,
  player: (G) => String(G.player),
};

module.exports = { tic_tac_toe, connect_four, kuhn_poker, lantern_market };
