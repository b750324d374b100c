/**
 * Semantic tokens over stdio: for code that declares an endpoint, and not for code that only looks like it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SemanticTokens, SemanticTokensLegend } from 'vscode-languageserver';
import { describePlace } from '../source/markedProject.ts';
import { type MarkedSession, markedSessions } from './markedSession.ts';

const PROJECT = `
=== api.py
import toolkit_sdk as t
from toolkit_sdk import Endpoint as E
api = E(name="web")
^^^ variable declaration,endpoint
      ^ class endpoint
@api.get("/items/{id}/{part:path}")
     ^^^ decorator endpoint
                  ^^ parameter
                       ^^^^ parameter
def item(id, part): ...
    ^^^^ function declaration,endpoint
@t.Endpoint(name="one")
   ^^^^^^^^ decorator endpoint
async def one(): ...
          ^^^ function declaration,async,endpoint
@E()
 ^ decorator endpoint
class Model:
      ^^^^^ class declaration,endpoint
    def run(self): ...
def plain(): ...
@plain.get("/{id}")
def other(id): ...
`;

describe('textDocument/semanticTokens', () => {
  const open = markedSessions();

  function tokensOf(session: MarkedSession, { data }: SemanticTokens): string[] {
    const { tokenTypes, tokenModifiers } = session.client.initialized.capabilities.semanticTokensProvider!
      .legend as SemanticTokensLegend;
    const tokens: string[] = [];
    let line = 0;
    let character = 0;
    for (let at = 0; at < data.length; at += 5) {
      const [lines, characters, length, type, bits] = data.slice(at, at + 5) as [
        number,
        number,
        number,
        number,
        number,
      ];
      character = lines === 0 ? character + characters : characters;
      line += lines;
      const range = { start: { line, character }, end: { line, character: character + length } };
      const modifiers = tokenModifiers.filter((_, bit) => (bits & (1 << bit)) !== 0).join(',');
      tokens.push(
        `${session.describe({ uri: session.uri('api.py'), range })} ${tokenTypes[type]} ${modifiers}`.trim(),
      );
    }
    return tokens;
  }

  const marked = (session: MarkedSession, first = 0, last = Infinity) =>
    session.marks
      .filter(({ range: { start } }) => start.line >= first && start.line <= last)
      .map((mark) => `${describePlace(mark)} ${mark.label}`);

  it('shows decorators, instances, functions and parameters of paths', () =>
    open(PROJECT, async (session) => {
      const found = await session.client.request<SemanticTokens>('textDocument/semanticTokens/full', {
        textDocument: { uri: session.uri('api.py') },
      });
      assert.deepEqual(tokensOf(session, found), marked(session));
    }));

  it('shows those in a range', () =>
    open(PROJECT, async (session) => {
      const found = await session.client.request<SemanticTokens>('textDocument/semanticTokens/range', {
        textDocument: { uri: session.uri('api.py') },
        range: { start: { line: 3, character: 0 }, end: { line: 4, character: 0 } },
      });
      assert.deepEqual(tokensOf(session, found), marked(session, 3, 4));
    }));
});
