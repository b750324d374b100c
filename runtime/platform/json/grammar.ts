/**
 * The grammar of JSON (RFC 8259) as tables: the current state and the next byte give the next state or an
 * action. Each container has its own tables, since a comma is followed by a name in an object and by a value
 * in a list.
 */

/** States of the scanner. */
export const STATES = {
  /** A value must follow. */
  value: 0,
  valueOrEnd: 1,
  name: 2,
  nameOrEnd: 3,
  colon: 4,
  /** A value has ended. */
  after: 5,
  string: 6,
  escape: 7,
  hex1: 8,
  hex2: 9,
  hex3: 10,
  hex4: 11,
  nameString: 12,
  nameEscape: 13,
  nameHex1: 14,
  nameHex2: 15,
  nameHex3: 16,
  nameHex4: 17,
  minus: 18,
  zero: 19,
  integer: 20,
  point: 21,
  fraction: 22,
  exponent: 23,
  exponentSign: 24,
  exponentDigits: 25,
  t: 26,
  tr: 27,
  tru: 28,
  f: 29,
  fa: 30,
  fal: 31,
  fals: 32,
  n: 33,
  nu: 34,
  nul: 35,
  /** After an error only quotes, commas and brackets count. */
  skip: 36,
  skipString: 37,
  skipEscape: 38,
} as const;

/** Actions at a byte. Their numbers are above those of the states. */
export const ACTIONS = {
  beginScalar: 64,
  beginString: 65,
  beginName: 66,
  endName: 67,
  /** The byte is the value's last. */
  end: 68,
  /** The byte is the first one after a number. */
  endNumber: 69,
  open: 70,
  close: 71,
  skipOpen: 72,
  skipClose: 73,
  skipComma: 74,
  fault: 75,
} as const;

export const FIRST_ACTION = ACTIONS.beginScalar;

const SPACE = ' \t\n\r';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdefABCDEF`;

/** State after the first byte of a number or literal, by that byte. */
export const FIRST: Uint8Array = new Uint8Array(256);
for (const [bytes, state] of [
  ['-', STATES.minus],
  ['0', STATES.zero],
  ['123456789', STATES.integer],
  ['t', STATES.t],
  ['f', STATES.f],
  ['n', STATES.n],
] as const)
  for (const byte of Buffer.from(bytes)) FIRST[byte] = state;

/** The state after a comma, and the closing bracket; null outside of any container. */
type Container = { next: number; close: '}' | ']' } | null;

const OBJECT: Container = { next: STATES.name, close: '}' };
const LIST: Container = { next: STATES.value, close: ']' };

/** Looked up by `(state << 8) | byte`. `noted`: the positions of the values are recorded. */
export const TABLES = {
  whole: makeTable(null, true),
  object: { noted: makeTable(OBJECT, true), unnoted: makeTable(OBJECT, false) },
  list: { noted: makeTable(LIST, true), unnoted: makeTable(LIST, false) },
};

function makeTable(container: Container, noted: boolean): Uint8Array {
  const table = new Uint8Array((STATES.skipEscape + 1) << 8).fill(ACTIONS.fault);
  const on = (state: number, bytes: string, to: number) => {
    for (const byte of Buffer.from(bytes, 'latin1')) table[(state << 8) | byte] = to;
  };
  const from = (state: number, byte: number, to: number) =>
    table.fill(to, (state << 8) | byte, (state + 1) << 8);
  const s = STATES;
  const a = ACTIONS;
  const ended = noted ? a.end : s.after;

  for (const state of [s.value, s.valueOrEnd]) {
    on(state, SPACE, state);
    for (const [byte, first] of FIRST.entries())
      if (first > 0) table[(state << 8) | byte] = noted ? a.beginScalar : first;
    on(state, '"', noted ? a.beginString : s.string);
    on(state, '{[', a.open);
  }
  on(s.valueOrEnd, ']', a.close);
  for (const state of [s.name, s.nameOrEnd]) {
    on(state, SPACE, state);
    on(state, '"', noted ? a.beginName : s.nameString);
  }
  on(s.nameOrEnd, '}', a.close);
  on(s.colon, SPACE, s.colon);
  on(s.colon, ':', s.value);
  on(s.after, SPACE, s.after);

  for (const [string, to] of [
    [s.string, ended],
    [s.nameString, noted ? a.endName : s.colon],
  ] as const) {
    const [escape, hex] = [string + 1, string + 2];
    from(string, 0x20, string);
    on(string, '\\', escape);
    on(string, '"', to);
    on(escape, '"\\/bfnrt', string);
    on(escape, 'u', hex);
    for (const index of [0, 1, 2]) on(hex + index, HEX, hex + index + 1);
    on(hex + 3, HEX, string);
  }

  on(s.minus, '0', s.zero);
  on(s.minus, '123456789', s.integer);
  for (const state of [s.exponent, s.exponentSign, s.exponentDigits]) on(state, DIGITS, s.exponentDigits);
  on(s.integer, DIGITS, s.integer);
  for (const state of [s.point, s.fraction]) on(state, DIGITS, s.fraction);
  on(s.exponent, '+-', s.exponentSign);
  for (const state of [s.zero, s.integer]) on(state, '.', s.point);
  for (const state of [s.zero, s.integer, s.fraction]) on(state, 'eE', s.exponent);

  const numbers = [s.zero, s.integer, s.fraction, s.exponentDigits];
  for (const state of noted ? [] : numbers) on(state, SPACE, s.after);
  for (const state of noted ? [s.after] : [s.after, ...numbers]) {
    if (container) on(state, ',', container.next);
    if (container) on(state, container.close, a.close);
  }
  for (const state of noted ? numbers : []) on(state, `${SPACE},}]`, a.endNumber);

  for (const [states, letters] of [
    [[s.t, s.tr, s.tru], 'rue'],
    [[s.f, s.fa, s.fal, s.fals], 'alse'],
    [[s.n, s.nu, s.nul], 'ull'],
  ] as const) {
    for (const [index, state] of states.entries()) on(state, letters[index]!, states[index + 1] ?? ended);
  }

  from(s.skip, 0, s.skip);
  on(s.skip, '"', s.skipString);
  on(s.skip, '{[', a.skipOpen);
  on(s.skip, '}]', a.skipClose);
  on(s.skip, ',', a.skipComma);
  from(s.skipString, 0, s.skipString);
  on(s.skipString, '\\', s.skipEscape);
  on(s.skipString, '"', s.skip);
  from(s.skipEscape, 0, s.skipString);
  return table;
}
