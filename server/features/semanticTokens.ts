/** Semantic highlighting of declarations: what declares an endpoint, the declared names, and parameters in paths. */
import {
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensLegend,
  type SemanticTokensParams,
  type SemanticTokensRangeParams,
} from 'vscode-languageserver';
import type { Range } from '../../runtime/contract/diagnostic.ts';
import type { RouteDeclaration } from '../../runtime/source/declarations/Declaration.ts';
import { partRange } from '../../runtime/source/declarations/pathRange.ts';
import { statementsAt } from '../../runtime/source/references/statementsAt.ts';
import { comparePositions, placeKey } from '../../runtime/source/syntax/range.ts';
import type { PythonContext } from './feature.ts';
import { lastName } from './textPlaces.ts';

const TYPES = ['decorator', 'class', 'variable', 'function', 'parameter'] as const;
/** `endpoint` is not a standard modifier: a theme can use it to highlight endpoints. */
const MODIFIERS = ['declaration', 'async', 'endpoint'] as const;

/** For the server's capabilities. */
export const SEMANTIC_TOKENS_LEGEND: SemanticTokensLegend = {
  tokenTypes: [...TYPES],
  tokenModifiers: [...MODIFIERS],
};

interface Token {
  range: Range;
  type: (typeof TYPES)[number];
  modifiers: readonly (typeof MODIFIERS)[number][];
}

/** Tokens of the document, or of a part of it. */
export function semanticTokens(
  context: PythonContext,
  params: SemanticTokensParams | SemanticTokensRangeParams,
): SemanticTokens {
  const within = 'range' in params ? params.range : null;
  const builder = new SemanticTokensBuilder();
  const tokens = new Map(tokensOf(context).map((token) => [placeKey(token.range.start), token]));
  for (const { range, type, modifiers } of inOrder(tokens.values())) {
    const { start, end } = range;
    const isAsked = !within || (start.line >= within.start.line && start.line <= within.end.line);
    if (!isAsked || start.line !== end.line) continue;
    const bits = modifiers.reduce((set, modifier) => set | (1 << MODIFIERS.indexOf(modifier)), 0);
    builder.push(start.line, start.character, end.character - start.character, TYPES.indexOf(type), bits);
  }
  return builder.build();
}

function inOrder(tokens: Iterable<Token>): Token[] {
  return [...tokens].sort((a, b) => comparePositions(a.range.start, b.range.start));
}

function tokensOf({ project, document: { file } }: PythonContext): Token[] {
  const isHere = (one: { file: string }) => one.file === file;
  const touching = project.index.touching(file);
  const calls = touching.filter((one) => isHere(one) && one.form !== 'table');
  const starts = calls.filter(({ form }) => form === 'instance').map(({ call }) => call.range.start);
  const variables = statementsAt(project, file, starts);
  return [
    ...calls.map(({ call, form }): Token => {
      const type = form === 'decorator' ? 'decorator' : 'class';
      return { range: lastName(call.calleeRange, call.callee), type, modifiers: ['endpoint'] };
    }),
    ...[...variables.values()].map(({ selectionRange: range }): Token => {
      return { range, type: 'variable', modifiers: ['declaration', 'endpoint'] };
    }),
    ...touching
      .flatMap(({ served, routes }) => [...served, ...routes])
      .filter(isHere)
      .map(({ definition: { nameRange: range, kind, async } }): Token => {
        const type = kind === 'class' ? 'class' : 'function';
        return { range, type, modifiers: ['declaration', 'endpoint', ...(async ? ['async' as const] : [])] };
      }),
    ...touching.flatMap(({ routes }) => routes.filter(isHere).flatMap(routeTokens)),
  ];
}

/** The verb, and `{parameter}` of the path. */
function routeTokens(route: RouteDeclaration): Token[] {
  const { decorator, path, expression } = route;
  const range = lastName(decorator.pathRange, decorator.path ?? []);
  const verb: Token = { range, type: 'decorator', modifiers: ['endpoint'] };
  if (path.state !== 'known' || expression?.kind !== 'string' || expression.contentOffset === null)
    return [verb];
  const parameters = path.value.matchAll(/\{(\w+)(?::\w+)?\}/g).map((match): Token => {
    const place = partRange(route, match.index + 1, match[1]!.length);
    return { range: place, type: 'parameter', modifiers: [] };
  });
  return [verb, ...parameters];
}
