/** The outline of a document: only its endpoints, with their functions and routes. */
import type { DocumentSymbol, Range } from 'vscode-languageserver';
import type { EndpointKind } from '../../runtime/contract/endpoint.ts';
import { comparePositions } from '../../runtime/source/syntax/range.ts';
import {
  type EndpointSkeleton,
  endpointNodes,
  type Node,
  placeOf,
  type Statements,
  statementsOf,
  symbolOf,
} from './endpointNodes.ts';
import type { DocumentContext } from './feature.ts';

const KINDS: Readonly<Record<EndpointKind, string>> = {
  queue: 'queue-based endpoint',
  'load-balanced': 'load-balanced endpoint',
};

/** The parts of endpoints in the document, including routes that it adds to another file's instance. */
export function documentSymbol({ project, document: { file } }: DocumentContext): DocumentSymbol[] {
  const isHere = (node: Node) => node.file === file;
  const here = endpointNodes(project.index).flatMap((node): EndpointSkeleton[] => {
    const own = { ...node, functions: node.functions.filter(isHere), routes: node.routes.filter(isHere) };
    return isHere(node) || own.functions.length > 0 ? [own] : [];
  });
  const nodes = here.flatMap((node) => [...(isHere(node) ? [node] : []), ...node.functions]);
  const statements = statementsOf(project, file, nodes);
  const symbols = here.map((node) => outlineOf(node, isHere(node), statements));
  return inOrder(symbols.map((symbol) => ({ ...symbol, range: around(symbol, symbols) })));
}

function outlineOf(node: EndpointSkeleton, isHere: boolean, statements: Statements): DocumentSymbol {
  const { declaration, functions, routes } = node;
  const plain = functions.filter(
    ({ served }) => !routes.some((route) => route.served.definition === served.definition),
  );
  const children = [...plain, ...routes].map((child) => ({
    ...symbolOf(child),
    ...(child.route && { detail: child.served.definition.name }),
    ...placeOf(child, statements),
  }));
  const ordered = inOrder(children);
  const { range, selectionRange } = isHere ? placeOf(node, statements) : ordered[0]!;
  return {
    ...symbolOf(node),
    detail: isHere ? KINDS[declaration.kind] : `declared in ${declaration.file}`,
    range,
    selectionRange,
    children: ordered,
  };
}

function inOrder(symbols: readonly DocumentSymbol[]): DocumentSymbol[] {
  return symbols.toSorted((a, b) => comparePositions(a.range.start, b.range.start));
}

/**
 * An instance's range, extended over the routes that follow it, so that an editor finds the endpoint from inside them.
 * It ends before the next endpoint.
 */
function around(symbol: DocumentSymbol, symbols: readonly DocumentSymbol[]): Range {
  const { start } = symbol.range;
  const next = symbols
    .filter((other) => other !== symbol && comparePositions(other.range.start, start) > 0)
    .map((other) => other.range.start)
    .toSorted(comparePositions)[0];
  let { end } = symbol.range;
  for (const { range } of symbol.children ?? []) {
    const isBeforeNext = !next || comparePositions(range.end, next) <= 0;
    if (isBeforeNext && comparePositions(range.end, end) > 0) end = range.end;
  }
  return { start, end };
}
