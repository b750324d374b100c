/** Semantic highlighting of declarations: what makes an endpoint, the names that it gives, and the parameters of paths. */
import {
  SemanticTokenModifiers,
  type SemanticTokens,
  SemanticTokensBuilder,
  type SemanticTokensLegend,
  type SemanticTokensParams,
  type SemanticTokensRangeParams,
  SemanticTokenTypes,
} from 'vscode-languageserver';
import type { Range } from '../../runtime/contract/diagnostic.ts';
import type {
  Declaration,
  RouteDeclaration,
  ServedDefinition,
} from '../../runtime/source/declarations/Declaration.ts';
import { partRange } from '../../runtime/source/declarations/pathRange.ts';
import { placeKey, statementsAt } from '../../runtime/source/references/statementsAt.ts';
import type { PythonContext } from './feature.ts';
import { compare, lastName } from './textPlaces.ts';

const TYPES = [
  SemanticTokenTypes.decorator,
  SemanticTokenTypes.class,
  SemanticTokenTypes.variable,
  SemanticTokenTypes.function,
  SemanticTokenTypes.parameter,
] as const;
/** `endpoint` is our own: a theme may show what is served apart from all other names. */
const MODIFIERS = [SemanticTokenModifiers.declaration, SemanticTokenModifiers.async, 'endpoint'] as const;

/** For the server's capabilities. */
export const SEMANTIC_TOKENS_LEGEND: SemanticTokensLegend = {
  tokenTypes: [...TYPES],
  tokenModifiers: [...MODIFIERS],
};

interface Token {
  range: Range;
  type: (typeof TYPES)[number];
  modifiers: (typeof MODIFIERS)[number][];
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
  return [...tokens].sort((a, b) => compare(a.range.start, b.range.start));
}

function tokensOf({ project, document: { file } }: PythonContext): Token[] {
  const isHere = (one: { file: string }) => one.file === file;
  const { declarations } = project.index;
  const calls = declarations.filter((one) => isHere(one) && one.form !== 'table');
  const starts = calls.filter(({ form }) => form === 'instance').map(({ call }) => call.range.start);
  const variables = statementsAt(project, file, starts);
  return [
    ...calls.map(classToken),
    ...[...variables.values()].map(({ selectionRange: range }): Token => {
      return {
        range,
        type: SemanticTokenTypes.variable,
        modifiers: [SemanticTokenModifiers.declaration, 'endpoint'],
      };
    }),
    ...declarations
      .flatMap(({ served, routes }) => [...served, ...routes])
      .filter(isHere)
      .map(definitionToken),
    ...declarations.flatMap(({ routes }) => routes.filter(isHere).flatMap(routeTokens)),
  ];
}

/** `Endpoint`, as a decorator or as the class that is called. */
function classToken({ call, form }: Declaration): Token {
  return {
    range: lastName(call.calleeRange, call.callee),
    type: form === 'decorator' ? SemanticTokenTypes.decorator : SemanticTokenTypes.class,
    modifiers: ['endpoint'],
  };
}

/** The name of what is served. */
function definitionToken({ definition: { nameRange, kind, async } }: ServedDefinition): Token {
  return {
    range: nameRange,
    type: kind === 'class' ? SemanticTokenTypes.class : SemanticTokenTypes.function,
    modifiers: [
      SemanticTokenModifiers.declaration,
      'endpoint',
      ...(async ? ([SemanticTokenModifiers.async] as const) : []),
    ],
  };
}

/** The verb, and `{parameter}` of the path. */
function routeTokens(route: RouteDeclaration): Token[] {
  const { decorator, path } = route;
  const verb: Token = {
    range: lastName(decorator.pathRange, decorator.path ?? []),
    type: SemanticTokenTypes.decorator,
    modifiers: ['endpoint'],
  };
  const whole = route.expression;
  if (path.state !== 'known' || whole?.kind !== 'string' || whole.contentOffset === null) return [verb];
  const parameters = [...path.value.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(
    (match): Token => ({
      range: partRange(route, match.index + 1, match[1]!.length),
      type: SemanticTokenTypes.parameter,
      modifiers: [],
    }),
  );
  return [verb, ...parameters];
}
