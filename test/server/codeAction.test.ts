/**
 * Code actions over stdio: what is offered where, how it is written for the client, and what remains after
 * the edit.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  ClientCapabilities,
  CodeAction,
  CodeActionContext,
  Diagnostic,
  TextDocumentEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { makeFolder, writeProject } from '../source/checkProject.ts';
import { LanguageClient, uriOf } from './languageClient.ts';
import { type MarkedSession, markedSessions } from './markedSession.ts';

const FIXTURE = `
=== a.py
import cv2
       ^^^ import
from toolkit_sdk import Endpoint
# ünï 🎉
@Endpoint(cpu="5c-4-8", workers=(3, 1), dependencies=["opencv-python"])
              ^^^^^^^^ cpu
def a(x): return cv2.imread(x)
    ^ function
api = Endpoint(name="api")
   | nothing
@api.get("b")
         ^^^ path
def b(): ...
`;

/**
 * The code actions at a mark, requested with the findings that begin there like most editors do, and then
 * their edits.
 */
async function actionsAt(
  session: MarkedSession,
  label: string,
  asked: Partial<CodeActionContext> = {},
): Promise<CodeAction[]> {
  const mark = session.marks.find((one) => one.label === label)!;
  const uri = session.uri(mark.file);
  const { start: from, end: to } = mark.range;
  const shown = session.client
    .diagnosticsOf(uri)
    .filter(
      ({ range: { start } }) =>
        start.line === from.line && start.character >= from.character && start.character <= to.character,
    );
  const listed = await session.client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: mark.range,
    context: { diagnostics: shown, ...asked },
  });
  for (const { kind, edit } of listed)
    assert.equal(edit === undefined, kind === 'quickfix', 'edits of quick fixes are computed on demand');
  return Promise.all(
    listed.map(async (action) => {
      if (action.edit) return action;
      const resolved = await session.client.request<CodeAction>('codeAction/resolve', action);
      assert.ok(resolved.edit, 'each action has an edit');
      return resolved;
    }),
  );
}

/** A file's text after an action that changes only this file, with versions. */
function textAfter(
  { files, uri }: { files: Record<string, string>; uri: string },
  file: string,
  action: CodeAction,
) {
  const [only, ...others] = (action.edit?.documentChanges ?? []) as TextDocumentEdit[];
  assert.deepEqual(others, []);
  assert.equal(only?.textDocument.uri, uri);
  const document = TextDocument.create(uri, 'python', 0, files[file]!);
  return TextDocument.applyEdits(
    document,
    only.edits.map((edit) => {
      assert.ok('newText' in edit);
      return edit;
    }),
  );
}

describe('textDocument/codeAction', () => {
  const open = markedSessions();

  it('offers the fixes of the finding at a position, linked to it, the preferred one first and silencing last', () =>
    open(FIXTURE, async (session) => {
      const listed = async (label: string) =>
        (await actionsAt(session, label)).map(({ title, kind, isPreferred, diagnostics }) => [
          title,
          kind,
          isPreferred ?? false,
          (diagnostics ?? []).map(({ code }) => code),
        ]);
      assert.deepEqual(await listed('import'), [
        ['Move the import of cv2 into a', 'quickfix', true, ['top-level-import']],
        ['Silence top-level-import on this line', 'quickfix', false, ['top-level-import']],
      ]);
      assert.deepEqual(await listed('cpu'), [
        ['Change cpu to "cpu5c-4-8"', 'quickfix', true, ['invalid-cpu']],
      ]);
      assert.deepEqual(await listed('function'), [
        ['Add a description to a', 'quickfix', true, ['missing-description']],
        ['Silence missing-description on this line', 'quickfix', false, ['missing-description']],
      ]);
      assert.deepEqual(await listed('nothing'), []);
    }));

  it('offers the fixes of findings that the editor names, anywhere in their line', () =>
    open(FIXTURE, async (session) => {
      const uri = session.uri('a.py');
      const named = session.client.diagnosticsOf(uri).filter(({ code }) => code === 'invalid-cpu');
      const start = { line: named[0]!.range.start.line, character: 0 };
      const actions = await session.client.request<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri },
        range: { start, end: start },
        context: { diagnostics: [...named, { ...named[0]!, code: 'other' }] },
      });
      assert.deepEqual(
        actions.map(({ title, diagnostics }) => [title, diagnostics]),
        [['Change cpu to "cpu5c-4-8"', named]],
      );
    }));

  it('returns the requested kinds', () =>
    open(FIXTURE, async (session) => {
      const kinds = async (only: string[]) =>
        (await actionsAt(session, 'import', { only })).map(({ kind }) => kind);
      assert.deepEqual(await kinds(['quickfix']), ['quickfix', 'quickfix']);
      assert.deepEqual(await kinds(['source']), ['source.fixAll.toolkit']);
      assert.deepEqual(await kinds(['']), ['quickfix', 'quickfix', 'source.fixAll.toolkit']);
      assert.deepEqual(await kinds(['source.fixAll']), ['source.fixAll.toolkit']);
      assert.deepEqual(await kinds(['source.fixAll.toolkit']), ['source.fixAll.toolkit']);
      assert.deepEqual(await kinds(['source.fixAll.other', 'refactor', 'source.organizeImports']), []);
    }));

  it('applies all safe fixes of a document, after which their findings are gone', () =>
    open(FIXTURE, async (session) => {
      const uri = session.uri('a.py');
      const [all] = await actionsAt(session, 'nothing', { only: ['source.fixAll'] });
      const text = textAfter({ files: session.files, uri }, 'a.py', all!);
      assert.equal(
        text,
        `from toolkit_sdk import Endpoint
# ünï 🎉
@Endpoint(cpu="cpu5c-4-8", workers=(1, 3), dependencies=["opencv-python"])
def a(x):
    import cv2
    return cv2.imread(x)
api = Endpoint(name="api")
@api.get("/b")
def b(): ...
`,
      );
      await session.client.change(uri, { text });
      await session.client.settled();
      assert.deepEqual(
        session.client.diagnosticsOf(uri).map(({ code }) => code),
        ['missing-description', 'missing-description'],
      );
      assert.deepEqual(await actionsAt(session, 'nothing', { only: ['source.fixAll'] }), []);
    }));

  it('states the version that its edits are for', () =>
    open(FIXTURE, async (session) => {
      const uri = session.uri('a.py');
      const versions = async () =>
        (await actionsAt(session, 'cpu')).flatMap(({ edit }) =>
          ((edit?.documentChanges ?? []) as TextDocumentEdit[]).map(({ textDocument }) => textDocument),
        );
      assert.deepEqual(await versions(), [{ uri, version: 1 }]);
      const end = { line: 9, character: 0 };
      await session.client.change(uri, { range: { start: end, end }, text: '# more\n' });
      assert.deepEqual(await versions(), [{ uri, version: 2 }]);
    }));

  it('omits the edit of a finding that is gone', () =>
    open(FIXTURE, async (session) => {
      const [action] = await actionsAt(session, 'cpu');
      await session.client.change(session.uri('a.py'), { text: '' });
      const resolved = await session.client.request<CodeAction>('codeAction/resolve', {
        ...action,
        edit: undefined,
      });
      assert.equal(resolved.edit, undefined);
    }));

  it('offers one comment for two findings of the same code in a line', () =>
    open(
      `
=== a.py
from toolkit_sdk import Endpoint
@Endpoint(dependencies=["torch", "numpy"])
                        ^^^^^^^^^^^^^^^^ both
def a():
    """A."""
`,
      async (session) => {
        const actions = await actionsAt(session, 'both');
        assert.deepEqual(
          actions.map(({ title, diagnostics }) => [title, diagnostics?.length]),
          [
            ['Remove "torch" from dependencies', 1],
            ['Remove "numpy" from dependencies', 1],
            ['Silence provided-by-image on this line', 2],
          ],
        );
      },
    ));

  it('repairs the latest text of pyproject.toml, and files that are not open', () =>
    open(
      `
=== pyproject.toml
[[tool.toolkit.endpoints]]
name = "a"
command = ["./a"]
workers = [3, 1]
          ^^^^^^ workers
=== a.py
from toolkit_sdk import Endpoint
from shared import DEPS
@Endpoint(dependencies=DEPS)
def b():
    """B."""
    import cv2
           ^^^ import
    return cv2
=== shared.py
DEPS = ["idna"]
`,
      async (session) => {
        const toml = session.uri('pyproject.toml');
        const start = { line: 3, character: 11 };
        await session.client.change(toml, { range: { start, end: { line: 3, character: 12 } }, text: '20' });
        const [swap] = await actionsAt(session, 'workers', { diagnostics: [] });
        assert.equal(swap?.title, 'Change workers to [1, 20]');
        const files = { 'pyproject.toml': session.files['pyproject.toml']!.replace('[3', '[20') };
        assert.match(textAfter({ files, uri: toml }, 'pyproject.toml', swap), /^workers = \[1, 20\]$/m);
        await session.client.settled();

        await session.client.close(session.uri('shared.py'));
        const [add] = await actionsAt(session, 'import');
        assert.equal(add?.title, 'Add "opencv-python" to the dependencies of "b"');
        const shared = session.uri('shared.py');
        const [change] = (add.edit?.documentChanges ?? []) as TextDocumentEdit[];
        assert.deepEqual(change?.textDocument, {
          uri: shared,
          version: null,
        });
        assert.match(
          textAfter({ files: session.files, uri: shared }, 'shared.py', add),
          /DEPS = \["idna", "opencv-python"\]/,
        );
        await session.client.open(shared, session.files['shared.py']!);
      },
    ));
});

describe('textDocument/codeAction for a client with fewer capabilities', () => {
  let client: LanguageClient;
  const literals: ClientCapabilities = {
    textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } },
  };
  before(async () => {
    client = await LanguageClient.start({ folders: [], capabilities: literals });
  });
  after(() => client.stop());

  it('writes changes without versions', async () => {
    const root = writeProject(
      { 'a.py': 'from toolkit_sdk import Endpoint\n@Endpoint(cpu="5c-4-8")\ndef a():\n    """A."""\n' },
      makeFolder(),
    );
    await client.addFolder(root);
    const uri = uriOf(root, 'a.py');
    const text = 'from toolkit_sdk import Endpoint\n@Endpoint(cpu="5c-4-8")\ndef a():\n    """A."""\n';
    await client.open(uri, text);
    await client.settled();
    const [{ range }] = client.diagnosticsOf(uri) as [Diagnostic];
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    assert.deepEqual(actions, [
      {
        title: 'Change cpu to "cpu5c-4-8"',
        kind: 'quickfix',
        isPreferred: true,
        edit: { changes: { [uri]: [{ range, newText: '"cpu5c-4-8"' }] } },
      },
    ]);
  });
});
