import { values } from '../binder/readExpression.ts';
import type { RouteDeclaration } from '../declarations/Declaration.ts';
import { keepsFunction } from '../declarations/keepsFunction.ts';
import { nearest } from '../declarations/nearest.ts';
import { partRange } from '../declarations/pathRange.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { routeAt } from '../fixes/findPlace.ts';
import type { SourceText } from '../fixes/SourceText.ts';
import { findDefinition } from '../fixes/statementEdits.ts';
import type { TextEdit } from '../fixes/TextEdit.ts';
import { PYTHON_KEYWORDS } from '../syntax/pythonKeywords.ts';
import { isSameRange } from '../syntax/range.ts';
import type { SyntaxNode } from '../syntax/SyntaxParser.ts';
import type { FileIndex } from './FileIndex.ts';
import type { Finding, FoundText } from './Finding.ts';

const PARAMETER = /\{([A-Za-z_]\w*)((?::[a-z]+)?)\}/g;

/**
 * The path has a `{parameter}` that the function does not take. Two kinds of functions are not checked: those
 * with a decorator of your own below the route, because it can change the parameters, and those that can get
 * the value through `Request`, `Depends(...)` or `Path(alias=...)`.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/items/{id}")
 * def item(item_id: int):
 *     """Show one item."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/items/{item_id}")
 * def item(item_id: int):
 *     """Show one item."""
 * ```
 */
export const routeParameterMismatch: Finding = {
  code: 'route-parameter-mismatch',
  severity: 'error',
  chapter: 'Routes',
  find: (index) =>
    index.declarations.flatMap(({ routes }) =>
      routes
        .filter((route) => hasOwnParameters(route, index) && !getsPathOtherwise(route, index))
        .flatMap(mismatches),
    ),
  fixes: [matchParameter],
};

/** Whether the route runs the function with the parameters of its `def`. False for routes in other files. */
function hasOwnParameters({ file, definition, decorator }: RouteDeclaration, index: FileIndex): boolean {
  const { decorators, scope } = definition;
  const others = decorators.slice(decorators.indexOf(decorator) + 1).filter(({ path }) => {
    const declares =
      path && [path, path.slice(0, -1)].some((one) => one.length > 0 && index.isInstance(scope, one));
    return !declares && !(path && index.isEndpointClass(scope, path));
  });
  return file === index.file && keepsFunction(index.names, { file, scope }, others);
}

/**
 * Matches calls through which FastAPI may pass a path parameter, and types that contain the request. The
 * listed calls bind from other parts of the request.
 */
const MAY_TAKE_PATH =
  /\b(?!(?:Query|Header|Cookie|Body|Form|File|Field)\b)\w+\s*\(|\b(?:Request|WebSocket|HTTPConnection)\b/;
const DOTTED = /^\w+(?:\.\w+)*$/;

/** Whether FastAPI may pass the path parameter to the function through a parameter with another name. */
function getsPathOtherwise({ file, definition }: RouteDeclaration, index: FileIndex): boolean {
  return definition.parameters.some(({ annotation, default: value }) =>
    [annotation, value].some((text) => {
      if (text === null) return false;
      if (MAY_TAKE_PATH.test(text)) return true;
      // `User = Annotated[...]`, `LOADED = Depends(...)` and `from fastapi import Request as Asked`.
      const entities = DOTTED.test(text) ? index.names.resolve(file, definition.scope, text.split('.')) : [];
      return entities.some(
        (entity) =>
          (entity.kind === 'value' && ['call', 'subscript'].includes(entity.expression.kind)) ||
          (entity.kind === 'external' && MAY_TAKE_PATH.test(entity.path.join('.'))),
      );
    }),
  );
}

function mismatches(route: RouteDeclaration): FoundText[] {
  const { file, definition, path } = route;
  if (path.state !== 'known' || definition.kind !== 'function') return [];
  if (definition.parameters.some(({ kind }) => kind === 'var-keyword')) return [];
  const names = definition.parameters.filter(({ kind }) => kind !== 'var-positional').map(({ name }) => name);
  return [...path.value.matchAll(PARAMETER)].flatMap((match): FoundText[] => {
    const name = match[1]!;
    if (names.includes(name)) return [];
    const isKeyword = PYTHON_KEYWORDS.has(name);
    return [
      {
        file,
        range: partRange(route, match.index, match[0].length),
        message: isKeyword
          ? `The path has {${name}}, but ${name} is a Python keyword, so no parameter can have this name.`
          : `The path has {${name}}, but ${definition.name} has no parameter ${name}.`,
        related: [{ file, range: definition.nameRange, message: `${definition.name} is defined here.` }],
        fix: isKeyword
          ? `Rename {${name}} in the path to the name of a parameter, for example {${name}_}.`
          : `Add the parameter ${name} to ${definition.name}, or remove {${name}} from the path.`,
      },
    ];
  });
}

/**
 * Makes the path and the function's parameters match, by renaming the path parameter or adding one to the
 * function.
 */
function* matchParameter({ project, index, source, found }: FixRequest): Fixes {
  const route = routeAt({ index, found })?.route;
  if (route?.path.state !== 'known') return;
  const written = [...route.path.value.matchAll(PARAMETER)];
  const wrong = written.find((match) =>
    isSameRange(partRange(route, match.index, match[0].length), found.range),
  );
  // Several parameters may share the range when the path is not a plain literal.
  if (!wrong || route.expression?.kind !== 'string' || route.expression.contentOffset === null) return;
  const [, name = '', converter = ''] = wrong;
  const taken = new Set(written.map((match) => match[1]!));
  const free = route.definition.parameters.filter(
    (parameter) => !taken.has(parameter.name) && !parameter.kind.startsWith('var-'),
  );
  const required = free.filter((parameter) => parameter.required);
  const names = free.map((parameter) => parameter.name);
  const near = nearest(name, names) ?? (required.length === 1 ? required[0]!.name : null);
  if (near !== null) {
    const edits = [{ range: found.range, newText: `{${near}${converter}}` }];
    yield { title: `Change {${name}} to {${near}}`, edits, preferred: true };
  }
  // `*id` does not take the path's value, and no other parameter can have the same name.
  if (route.definition.parameters.some((parameter) => parameter.name === name)) return;
  if (PYTHON_KEYWORDS.has(name)) return;
  const edit = project.withTree(found.file, (root) => addParameter(root, source, route, [name, converter]));
  if (!edit) return;
  const title = `Add the parameter ${name} to ${route.definition.name}`;
  yield { title, edits: [edit], preferred: near === null };
}

/** Adds a parameter after the required ones; null when the parameter list does not allow it. */
function addParameter(
  root: SyntaxNode,
  source: SourceText,
  { definition: { parameters, nameRange } }: RouteDeclaration,
  [name, converter]: readonly [name: string, converter: string],
): TextEdit | null {
  const list = findDefinition(root, source.offset(nameRange.start))?.childForFieldName('parameters');
  if (!list || list.hasError || parameters.some(({ kind }) => kind === 'positional-only')) return null;
  const isAnnotated = parameters.some(({ annotation }) => annotation !== null);
  const type = converter === ':int' ? 'int' : converter === ':float' ? 'float' : isAnnotated ? 'str' : null;
  const written = type === null ? name : `${name}: ${type}`;
  const nodes = values(list);
  const firstOther = nodes.findIndex((node) => !isPlain(node));
  const last = firstOther === -1 ? nodes.at(-1) : nodes[firstOther - 1];
  if (last) return source.insert(last.endIndex, `, ${written}`);
  return source.insert(list.startIndex + 1, nodes.length > 0 ? `${written}, ` : written);
}

/** `a` and `a: int`, but not `*a: int`. */
function isPlain(node: SyntaxNode): boolean {
  return (
    node.type === 'identifier' || (node.type === 'typed_parameter' && values(node)[0]?.type === 'identifier')
  );
}
