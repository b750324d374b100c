/** What docs/messages.md is made of: the texts that an expression may be, and the errors of a file. */
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

describe('the errors of a source', () => {
  it('keeps what only running the code could tell as its source', () => {
    assert.deepEqual(
      errorsOf("throw new ToolkitError('USAGE', `Port ${port} is ${ 1 + 1 }.`, { hint: 'Go.' });"),
      [{ codes: ['USAGE'], messages: ['Port {port} is {1 + 1}.'], hints: ['Go.'] }],
    );
  });

  it('lists each text of a choice', () => {
    const text = "throw new ToolkitError(a ? 'USAGE' : 'CONFLICT', b ? 'One way.' : 'The other.');";
    assert.deepEqual(errorsOf(text), [
      { codes: ['USAGE', 'CONFLICT'], messages: ['One way.', 'The other.'], hints: [] },
    ]);
  });

  it('fills in a constant', () => {
    const text = "const FILE = 'a.lock';\nthrow new ToolkitError('USAGE', `${FILE} is missing.`);";
    assert.deepEqual(errorsOf(text)[0]!.messages, ['a.lock is missing.']);
  });

  it('finds what callers give to a function that makes the error', () => {
    const text = `
      function refuse(message: string) { return new ToolkitError('BAD_REQUEST', message); }
      throw refuse('No id.');
      throw refuse(\`No \${field}.\`);
    `;
    assert.deepEqual(errorsOf(text)[0]!.messages, ['No id.', 'No {field}.']);
  });

  it('finds what a function returns as the message', () => {
    const text = `
      const why = (code) => { if (code) return 'Because.'; return 'No reason.'; };
      throw new ToolkitError('BAD_REQUEST', why(code));
    `;
    assert.deepEqual(errorsOf(text)[0]!.messages, ['Because.', 'No reason.']);
  });
});

describe('docs/messages.md', () => {
  const page = messagesPage(path.join(import.meta.dirname, '../..'));

  it('has the texts of findings and of the SDK too', () => {
    const lines = page.split('\n');
    assert.ok(lines.includes('### missing-name'));
    assert.ok(lines.some((line) => line.startsWith('- CallError: ')));
  });
});
