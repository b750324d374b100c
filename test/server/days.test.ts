/** Days of editing; `test/long` has more and longer ones. */
import { randomInt } from 'node:crypto';
import { it } from 'node:test';
import { tryDays } from './editingSession.ts';

it('what is published after a day of editing equals what a new server and the commands find', async (t) => {
  const seed = randomInt(2 ** 30);
  t.diagnostic(`seed ${seed}`);
  await tryDays({ seed, days: 4, steps: 40 });
});
