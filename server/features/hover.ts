/**
 * `textDocument/hover`: describes a declaration, an argument, a route, an instance or a function of another endpoint.
 * The text is short: the thing itself first, then where it runs and which defaults apply.
 */
import type { Hover, HoverParams } from 'vscode-languageserver';
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';
import type { Declaration, RouteDeclaration } from '../../runtime/source/declarations/Declaration.ts';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument } from '../../runtime/source/declarations/endpointDocument.ts';
import { declarationsAt } from '../../runtime/source/references/endpointSites.ts';
import { includes } from '../../runtime/source/syntax/range.ts';
import { argumentText } from './argumentText.ts';
import { atCursor } from './atCursor.ts';
import { describeMember, ENUM_MEMBERS } from './completionHardware.ts';
import { inLine } from './completionItems.ts';
import { declarationsIn } from './declarationsIn.ts';
import { concerns } from './declared.ts';
import { addressLines, endpointText } from './endpointText.ts';
import type { DocumentContext, PythonContext } from './feature.ts';
import { code, escaped, markup } from './markup.ts';
import { SDK_TEXTS } from './sdkTexts.ts';
import { lastName } from './textPlaces.ts';

/** The text of a hover, in Markdown. */
interface HoverText {
  text: string;
  range: Range;
}

/** The hover at a position in a Python file; null if there is none. */
export function hover(context: PythonContext, { position }: HoverParams): Hover | null {
  if (!concerns(context)) return null;
  return shown(
    context,
    declarationHover(context, position) ?? routeHover(context, position) ?? nameHover(context, position),
  );
}

/** The hover at a position in pyproject.toml. */
export function tableHover(context: DocumentContext, { position }: HoverParams): Hover | null {
  return shown(context, declarationHover(context, position));
}

function shown({ client }: DocumentContext, found: HoverText | null): Hover | null {
  if (!found) return null;
  const formats = client.capabilities.textDocument?.hover?.contentFormat;
  return { contents: markup(found.text, formats), range: found.range };
}

/** The call of `Endpoint`, and its arguments. */
function declarationHover(context: DocumentContext, position: Position): HoverText | null {
  for (const declaration of declarationsIn(context)) {
    const { call, given, unknown } = declaration;
    if (includes(call.calleeRange, position))
      return { text: endpointText(context, declaration), range: call.calleeRange };
    for (const argument of [...Object.values(given), ...unknown]) {
      const { keywordRange, expression } = argument;
      const range = [keywordRange, expression.range].find((one) => includes(one, position));
      if (!range) continue;
      if (argument.keyword === 'name') return { text: endpointText(context, declaration), range };
      return argumentText(context, declaration, argument, position, range);
    }
  }
  return null;
}

/** A route's decorator, or the name of a served function. */
function routeHover(context: PythonContext, position: Position): HoverText | null {
  const { document, project } = context;
  for (const declaration of project.index.touching(document.file)) {
    for (const route of declaration.routes) {
      if (route.file !== document.file) continue;
      const { decorator, definition, expression } = route;
      const places = [definition.nameRange, expression?.range];
      const verb = lastName(decorator.pathRange, decorator.path ?? []);
      if (includes(verb, position)) places.push(verb);
      const range = places.find((one) => one && includes(one, position));
      if (range) return { text: routeText(context, declaration, route), range };
    }
    for (const { file, definition } of declaration.served) {
      if (file === document.file && includes(definition.nameRange, position))
        return { text: endpointText(context, declaration), range: definition.nameRange };
    }
  }
  return null;
}

function routeText(
  context: PythonContext,
  declaration: Declaration,
  { file, method, path, definition }: RouteDeclaration,
): string {
  const endpoint = endpointDocument(declaration, context.project.index.names);
  const name = endpoint.name === null ? 'its endpoint' : `**${code(endpoint.name)}**`;
  if (path.state !== 'known') return `${method} of ${name} · *path known only at run time*`;
  const lines = addressLines(context, declaration, { method, path: path.value, file });
  return [
    `${code(`${method} ${path.value}`)} · route of ${name}`,
    ...(definition.description === null ? [] : [escaped(definition.description)]),
    lines.map(([label, text]) => `- ${label}: ${text}`).join('\n'),
  ].join('\n\n');
}

/** A name that resolves to an endpoint, wherever it is read. */
function nameHover(context: PythonContext, position: Position): HoverText | null {
  const { document, project, cursor, scope } = atCursor(context, position);
  const { start, end } = cursor.word;
  if (cursor.string || cursor.comment || start === end) return null;
  const range = { start: inLine(cursor, start), end: inLine(cursor, end) };
  const path = [...cursor.owner, document.text.slice(start, end)];
  const { index } = project;
  for (const entity of index.names.resolve(document.file, scope, path)) {
    if (entity.kind === 'sdk') {
      const text = sdkText(entity.path);
      if (text !== null) return { text, range };
    } else if (entity.kind === 'definition') {
      const [declaration] = declarationsAt(index, entity.file, entity.definition.nameRange.start);
      if (declaration) return { text: servedText(context, declaration, entity), range };
    } else if (entity.kind === 'value' && entity.expression.kind === 'call') {
      const [declaration] = declarationsAt(index, entity.file, entity.expression.call.range.start);
      if (declaration) return { text: endpointText(context, declaration), range };
    }
  }
  return null;
}

/** A function of an endpoint, described for code that calls it. */
function servedText(
  context: PythonContext,
  declaration: Declaration,
  { file, definition }: { file: string; definition: RouteDeclaration['definition'] },
): string {
  const name = effectiveName(declaration);
  const where = name === null ? 'its endpoint' : `**${code(name)}**`;
  const isHere = file === context.document.file;
  const call = `${code(`${definition.name}()`)} runs on ${where}${isHere ? '' : `, not in this worker`}`;
  const route = declaration.routes.find((one) => one.definition === definition);
  return [call, route ? routeText(context, declaration, route) : endpointText(context, declaration)].join(
    '\n\n',
  );
}

function sdkText(path: readonly string[]): string | null {
  const [first, member] = path;
  if (first === undefined) return 'Declares functions as serverless endpoints.';
  if (member === undefined) return Object.hasOwn(SDK_TEXTS, first) ? SDK_TEXTS[first]!.documentation : null;
  if (!Object.hasOwn(ENUM_MEMBERS, first)) return null;
  const meaning = describeMember(first, member);
  return meaning === null ? null : `**${code(`${first}.${member}`)}** · ${meaning}`;
}
