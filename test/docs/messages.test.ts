/** The content of docs/messages.md: the texts that an expression can have, and the errors of a file. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { listOf, messagesPage } from '../../docs/messages/messagesPage.ts';
import { typescriptErrors } from '../../docs/messages/typescriptErrors.ts';
import { makeFolder } from '../source/checkProject.ts';

/** The errors of one module, which may import from `./constants.ts`. */
function errorsOf(text: string, constants = '') {
  return madeErrors(text, constants).map(({ codes, messages, hints }) => ({ codes, messages, hints }));
}

function madeErrors(text: string, constants = '') {
  const root = makeFolder();
  mkdirSync(path.join(root, 'runtime'));
  writeFileSync(path.join(root, 'runtime/constants.ts'), constants);
  writeFileSync(path.join(root, 'runtime/sample.ts'), text);
  return typescriptErrors(root);
}

describe('the errors in a source file', () => {
  it('prints expressions known only at run time as source code', () => {
    assert.deepEqual(
      errorsOf("throw new ToolkitError('USAGE', `Port ${port} is ${ new  Port() }.`, { hint: 'Go.' });"),
      [{ codes: ['USAGE'], messages: ['Port {port} is {new Port()}.'], hints: ['Go.'] }],
    );
  });

  it('lists each text of a conditional', () => {
    const text = "throw new ToolkitError(a ? 'USAGE' : 'CONFLICT', b ? 'One way.' : 'The other.');";
    assert.deepEqual(errorsOf(text), [
      { codes: ['USAGE', 'CONFLICT'], messages: ['One way.', 'The other.'], hints: [] },
    ]);
  });

  it('inserts a constant', () => {
    const text = "const FILE = 'a.lock';\nthrow new ToolkitError('USAGE', `${FILE} is missing.`);";
    assert.deepEqual(errorsOf(text)[0]!.messages, ['a.lock is missing.']);
  });

  it('inserts members of constant objects, also of imported ones, and what is computed from constants', () => {
    const constants = `
      const SECOND = 1_000;
      export const FILES = { lock: 'a.lock', other: other() } as const;
      export const LIMITS = { wait: 2 * SECOND } as const;
      export const RULE = \`\${LIMITS.wait} letters\`;
    `;
    const text = `
      import { FILES, LIMITS, RULE as NAMES } from './constants.ts';
      const VERBS = ['get', 'put'] as const;
      throw new ToolkitError('USAGE', \`\${FILES.lock} is late by \${LIMITS.wait / 1_000} s.\`);
      throw new ToolkitError('USAGE', \`Use \${NAMES}, or \${VERBS.join(', ')}, not \${FILES.other}.\`);
    `;
    assert.deepEqual(
      errorsOf(text, constants).flatMap(({ messages }) => messages),
      ['a.lock is late by 2 s.', 'Use 2000 letters, or get, put, not {FILES.other}.'],
    );
  });

  it('names the values of a translated text', () => {
    const text = "throw new ToolkitError('USAGE', l10n.t('{0} has {1}.', folder, files.length));";
    assert.deepEqual(errorsOf(text)[0]!.messages, ['{folder} has {files.length}.']);
  });

  it('finds what callers pass to a function that creates the error', () => {
    const text = `
      function refuse(message: string) { return new ToolkitError('BAD_REQUEST', message); }
      throw refuse('No id.');
      throw refuse(\`No \${field}.\`);
    `;
    assert.deepEqual(errorsOf(text)[0]!.messages, ['No id.', 'No {field}.']);
  });

  it('keeps the message and the hint of each call together, also if a hint is a default', () => {
    const text = `
      const refuse = (message: string, hint = 'Wait.') =>
        new ToolkitError('BAD_REQUEST', \`\${message} Stop.\`, { hint });
      throw refuse('No id.');
      throw refuse('No name.', 'Give one.');
    `;
    assert.deepEqual(
      errorsOf(text).map(({ messages, hints }) => [...messages, ...hints]),
      [
        ['No id. Stop.', 'Wait.'],
        ['No name. Stop.', 'Give one.'],
      ],
    );
  });

  it('combines only branches of equal conditions that can occur together', () => {
    const text = `
      const what = isTable ? 'A table' : 'A call';
      throw new ToolkitError('USAGE', \`\${what} has no \${isTable ? 'key' : 'argument'}.\`);
    `;
    assert.deepEqual(errorsOf(text)[0]!.messages, ['A table has no key.', 'A call has no argument.']);
  });

  it('finds the message that a function returns', () => {
    const text = `
      const why = (code) => { if (code) return 'Because.'; return 'No reason.'; };
      throw new ToolkitError('BAD_REQUEST', why(code));
    `;
    assert.deepEqual(errorsOf(text)[0]!.messages, ['Because.', 'No reason.']);
  });
});

describe('the errors in other forms', () => {
  it('finds those of subclasses', () => {
    const text =
      "class Late extends ToolkitError { constructor(s) { super('CALL_TIMEOUT', `Late by ${s}.`); } }";
    assert.deepEqual(errorsOf(text), [{ codes: ['CALL_TIMEOUT'], messages: ['Late by {s}.'], hints: [] }]);
  });

  it('finds those in tuples and objects, but not lists of codes', () => {
    const text = `
      new ToolkitError(...explain());
      const explain = () => ['DISK_FULL', 'The disk is full.', 'Free some space.'];
      print({ code: 'INTERNAL', message: 'A bug.' });
      new Set(['DISK_FULL', 'DRAINING']);
    `;
    assert.deepEqual(errorsOf(text).slice(1), [
      { codes: ['DISK_FULL'], messages: ['The disk is full.'], hints: ['Free some space.'] },
      { codes: ['INTERNAL'], messages: ['A bug.'], hints: [] },
    ]);
  });

  it('has one text for each branch in a template, and only names in braces', () => {
    const text =
      "throw new ToolkitError('USAGE', `${names.join(', ')} ${is(a) ? 'is' : `are ${b}`} too long.`);";
    assert.deepEqual(errorsOf(text)[0]!.messages, ['{names} is too long.', '{names} are {b} too long.']);
  });

  it('has each hint of a table', () => {
    const text = `
      const HINTS = { a: 'Do one.', b: 'Do the other.' };
      throw new ToolkitError('USAGE', 'Wrong.', { hint: HINTS[kind] });
    `;
    assert.deepEqual(errorsOf(text)[0]!.hints, ['Do one.', 'Do the other.']);
  });
});

describe('the list of a code', () => {
  it('has a message that two files contain once, with the programs and hints of both', () => {
    const root = makeFolder();
    for (const [folder, name] of [
      ['dev', 'id'],
      ['platform', 'endpointId'],
    ] as const) {
      mkdirSync(path.join(root, 'runtime', folder), { recursive: true });
      const text = `throw new ToolkitError('USAGE', \`There is no \${${name}}.\`, { hint: 'Ask ${folder}.' });`;
      writeFileSync(path.join(root, 'runtime', folder, 'one.ts'), text);
    }
    const list = listOf(typescriptErrors(root));
    assert.equal(
      list,
      '- `There is no {id}.` (dev, platform)\n  - Hint: `Ask dev.`\n  - Hint: `Ask platform.`',
    );
  });

  it('has a message once that another error has among others', () => {
    const text = `
      const why = (code) => { if (code) return 'No id.'; return 'No name.'; };
      throw new ToolkitError('USAGE', why(code), { hint: 'Go.' });
      throw new ToolkitError('USAGE', 'No id.');
    `;
    assert.equal(listOf(madeErrors(text)), '- `No id.`\n- `No name.`\n  - Hint: `Go.`');
  });
});

describe('docs/messages.md', () => {
  const page = messagesPage(path.join(import.meta.dirname, '../..'));

  it('includes the texts of findings and of the SDK', () => {
    const lines = page.split('\n');
    assert.ok(lines.includes('### missing-name'));
    assert.ok(lines.some((line) => line.startsWith('- CallError: ')));
  });

  it('has a message for each code, also for those that a worker responds with', () => {
    for (const section of page.split(/^### (?=[A-Z_]+$)/m).slice(1)) assert.match(section, /^- /m);
    assert.match(page, /^- `The parameter "\{first\}" is invalid: \{trouble\}\.` \(worker\)$/m);
  });
});
