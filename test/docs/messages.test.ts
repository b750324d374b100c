/** The content of docs/messages.md: the texts that an expression can have, and the errors of a file. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { messagesPage } from '../../docs/messages/messagesPage.ts';
import { typescriptErrors } from '../../docs/messages/typescriptErrors.ts';
import { makeFolder } from '../source/checkProject.ts';

/** The errors of one module. */
function errorsOf(text: string) {
  const root = makeFolder();
  mkdirSync(path.join(root, 'runtime'));
  writeFileSync(path.join(root, 'runtime/sample.ts'), text);
  return typescriptErrors(root).map(({ codes, messages, hints }) => ({ codes, messages, hints }));
}

describe('the errors in a source file', () => {
  it('prints expressions known only at run time as source code', () => {
    assert.deepEqual(
      errorsOf("throw new ToolkitError('USAGE', `Port ${port} is ${ 1 + 1 }.`, { hint: 'Go.' });"),
      [{ codes: ['USAGE'], messages: ['Port {port} is {1 + 1}.'], hints: ['Go.'] }],
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

  it('finds what callers pass to a function that creates the error', () => {
    const text = `
      function refuse(message: string) { return new ToolkitError('BAD_REQUEST', message); }
      throw refuse('No id.');
      throw refuse(\`No \${field}.\`);
    `;
    assert.deepEqual(errorsOf(text)[0]!.messages, ['No id.', 'No {field}.']);
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
      const REPAIRS = { a: 'Do one.', b: 'Do the other.' };
      throw new ToolkitError('USAGE', 'Wrong.', { hint: REPAIRS[kind] });
    `;
    assert.deepEqual(errorsOf(text)[0]!.hints, ['Do one.', 'Do the other.']);
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
