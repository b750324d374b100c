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

describe('docs/messages.md', () => {
  const page = messagesPage(path.join(import.meta.dirname, '../..'));

  it('includes the texts of findings and of the SDK', () => {
    const lines = page.split('\n');
    assert.ok(lines.includes('### missing-name'));
    assert.ok(lines.some((line) => line.startsWith('- CallError: ')));
  });
});
