import { randomInt } from 'node:crypto';
import { it } from 'node:test';
import { tryDays } from '../server/editingSession.ts';

it('what is published after 200 days of editing equals what a new server and the commands report', async (t) => {
  const seed = randomInt(2 ** 30);
  t.diagnostic(`seed ${seed}`);
  await tryDays({ seed, days: 200, steps: 80 });
});
