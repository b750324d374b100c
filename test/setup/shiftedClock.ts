/**
 * Loaded into a platform's process before anything else: shifts its time of day by the milliseconds in a
 * file.
 */
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
