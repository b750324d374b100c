/** The outline of a document: its endpoints with their functions and routes, declarations alone. */
import { type DocumentSymbol, type Position, type Range, SymbolKind } from 'vscode-languageserver';
import type { EndpointKind } from '../../runtime/contract/endpoint.ts';
import { spokenName } from '../../runtime/source/declarations/Declaration.ts';
import { placeKey, statementsAt } from '../../runtime/source/references/statementsAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { type EndpointSkeleton, endpointNodes, fallbackStatement } from './endpointNodes.ts';
import type { PlaceContext } from './feature.ts';

const KINDS: Readonly<Record<EndpointKind, string>> = {
  queue: 'queue-based endpoint',
  'load-balanced': 'load-balanced endpoint',
};

/** What of an endpoint stands in the document: routes that are added here to an instance of another file, too. */
export function documentSymbol({ project, document: { file } }: PlaceContext): DocumentSymbol[] {
  const here = endpointNodes(project.index).flatMap((node): EndpointSkeleton[] => {
    const own = { ...node, functions: node.functions.filter(isHere), routes: node.routes.filter(isHere) };
    return isHere(node) || own.functions.length > 0 ? [own] : [];
  });
  const statements = statementsOf(project, file, here);
  const symbols = here.map((node) => symbolOf(node, file, statements));
  return symbols
    .map((symbol) => ({ ...symbol, range: around(symbol, symbols) }))
    .toSorted((a, b) => compare(a.range.start, b.range.start));

  function isHere(node: { file: string }): boolean {
    return node.file === file;
  }
}

type Statements = ReturnType<typeof statementsAt>;

function statementsOf(project: ProjectView, file: string, nodes: readonly EndpointSkeleton[]): Statements {
  if (!file.endsWith('.py')) return new Map();
  const starts = nodes.flatMap((node) => [
    ...(node.file === file ? [node.start] : []),
    ...node.functions.map(({ start }) => start),
  ]);
  return project.withTree(file, (root) => statementsAt(root, starts)) ?? new Map();
}

function symbolOf(node: EndpointSkeleton, file: string, statements: Statements): DocumentSymbol {
  const { declaration, functions, routes } = node;
  const children = [
    ...functions
      .filter(({ served }) => !routes.some(({ route }) => route.definition === served.definition))
      .map(({ served, start }) =>
        childOf(
          served.definition.name,
          served.definition.kind === 'class' ? SymbolKind.Class : SymbolKind.Function,
          statements.get(placeKey(start)) ?? fallbackStatement(served),
        ),
      ),
    ...routes.map(({ route, path, start }) => ({
      ...childOf(
        `${route.method} ${path}`,
        SymbolKind.Method,
        statements.get(placeKey(start)) ?? fallbackStatement(route),
      ),
      detail: route.definition.name,
    })),
  ].toSorted((a, b) => compare(a.range.start, b.range.start));
  const isHere = node.file === file;
  const place = isHere
    ? (statements.get(placeKey(node.start)) ?? fallbackStatement(declaration))
    : { range: children[0]!.range, selectionRange: children[0]!.selectionRange };
  return {
    name: spokenName(declaration),
    detail: isHere ? KINDS[declaration.kind] : `declared in ${node.file}`,
    kind: declaration.kind === 'queue' ? SymbolKind.Event : SymbolKind.Interface,
    range: place.range,
    selectionRange: place.selectionRange,
    children,
  };
}

function childOf(
  name: string,
  kind: SymbolKind,
  { range, selectionRange }: { range: Range; selectionRange: Range },
): DocumentSymbol {
  return { name, kind, range, selectionRange };
}

/**
 * An instance's range with the routes that follow it, so that an editor finds the endpoint from within them; it ends
 * before the next endpoint, whose places are not its own.
 */
function around(symbol: DocumentSymbol, symbols: readonly DocumentSymbol[]): Range {
  const { start } = symbol.range;
  const next = symbols
    .filter((other) => other !== symbol && compare(other.range.start, start) > 0)
    .map((other) => other.range.start)
    .toSorted(compare)[0];
  let { end } = symbol.range;
  for (const { range } of symbol.children ?? []) {
    const isBeforeNext = !next || compare(range.end, next) <= 0;
    if (isBeforeNext && compare(range.end, end) > 0) end = range.end;
  }
  return { start, end };
}

function compare(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
