// Plays games with boardgame.io's reducer. Reads `GAME COUNT` lines, answers `SECONDS DECISIONS` of processor time.
'use strict';

const path = require('node:path');
const readline = require('node:readline');
const { createRequire } = require('node:module');

const fetch = createRequire(path.join(process.argv[2], 'package.json'));
const { CreateGameReducer, InitializeGame, ProcessGameConfig } = fetch('boardgame.io/internal');
const games = require('./games.js');

const reducers = {};

function playout(name) {
  const { game, options, player } = games[name];
  if (!reducers[name]) {
    const processed = ProcessGameConfig({ name, ...game });
    reducers[name] = { processed, reduce: CreateGameReducer({ game: processed }) };
  }
  const { processed, reduce } = reducers[name];
  let state = InitializeGame({ game: processed, numPlayers: 2 });
  let decisions = 0;
  while (state.ctx.gameover === undefined) {
    const offered = options(state.G);
    const move = offered[Math.floor(Math.random() * offered.length)];
    const payload = { type: 'choose', args: [move], playerID: player(state.G, state.ctx) };
    const before = state._stateID;
    state = reduce(state, { type: 'MAKE_MOVE', payload });
    if (state._stateID === before) throw new Error(`refused: ${name} ${move}`);
    decisions += 1;
  }
  return decisions;
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, count] = line.split(' ');
  const before = process.cpuUsage();
  let decisions = 0;
  for (let i = 0; i < Number(count); i += 1) decisions += playout(name);
  const used = process.cpuUsage(before);
  console.log(`${(used.user + used.system) / 1e6} ${decisions}`);
});
