/** Loaded into a platform's process before anything else: its time of day is off by what a file says, in milliseconds. */
import { readFileSync } from 'node:fs';

const file = process.env['SHIFTED_CLOCK_FILE']!;
const RealDate = Date;
const realNow = Date.now;

function now(): number {
  return realNow() + Number(readFileSync(file, 'utf8'));
}

class ShiftedDate extends RealDate {
  constructor(...args: ConstructorParameters<typeof Date> | []) {
    if (args.length === 0) super(now());
    else super(...(args as ConstructorParameters<typeof Date>));
  }
  static override now = now;
}
globalThis.Date = ShiftedDate as DateConstructor;
