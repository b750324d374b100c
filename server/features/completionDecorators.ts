/** After `@`: the project's instances and `Endpoint`. After a dot: the verbs of an instance, or a module's `Endpoint`. */
import { CompletionItemKind } from 'vscode-languageserver';
import { ROUTE_VERBS } from '../../runtime/contract/endpoint.ts';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import type { CursorContext } from './atCursor.ts';
import { instanceOffer } from './completionImports.ts';
import { literal, type Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { hasInstance, importName, instances } from './declared.ts';
import type { PythonContext } from './feature.ts';
import { functionBelow } from './functionBelow.ts';
import { moduleName, sdkName } from './missingImport.ts';
import { VERB_TEXTS } from './verbs.ts';

/** Offers after `@`; those that need no import come first. */
export function decoratorOffers(context: CursorContext): Offer[] {
  const own = boundInstances(context);
  const known = new Set(own.map(({ declaration }) => declaration));
  const { bindings } = context.document.facts.scopes[0]!;
  const offers = own.map(({ name, declaration }) => instanceOffer(name, declaration));
  for (const { name, file, declaration } of instances(context.project.index)) {
    // Skip a name that the file binds itself: it hides the other module's.
    if (file === context.document.file || known.has(declaration) || Object.hasOwn(bindings, name)) continue;
    const module = importName(file);
    if (module === null) continue;
    offers.push({
      ...instanceOffer(name, declaration),
      documentation: `\`from ${module} import ${name}\``,
      edits: moduleName(context, module, name).edits,
    });
  }
  const { text, edits } = sdkName(context, 'Endpoint');
  offers.push({ ...endpointOffer(text), edits });
  // Offers without an import come first.
  const isMissing = ({ edits: needed }: Offer) => Number((needed ?? []).length > 0);
  return offers.toSorted((a, b) => isMissing(a) - isMissing(b));
}

/** @param written - The name of the class in the file. */
function endpointOffer(written: string): Offer {
  return {
    label: `${written}(`,
    filter: written,
    snippet: `${literal(written)}(\${1:name="$2"})`,
    kind: CompletionItemKind.Class,
    detail: 'queue-based endpoint',
  };
}

/** Top-level names of the file that are instances: its own, and imported ones under their local names. */
function boundInstances({ document, project }: PythonContext): { name: string; declaration: Declaration }[] {
  const { index } = project;
  return Object.entries(document.facts.scopes[0]!.bindings).flatMap(([name, bindings]) => {
    const may = bindings.some(
      (one) => one.kind === 'value' || (one.kind === 'member' && hasInstance(index, one.name)),
    );
    const [declaration] = may ? index.instancesOf(document.file, 0, [name]) : [];
    return declaration ? [{ name, declaration }] : [];
  });
}

/** Offers after a dot in a decorator. */
export function dottedOffers({
  project: { index },
  document: { file },
  cursor,
  scope,
}: CursorContext): Offer[] {
  if (index.isEndpointClass(file, scope, [...cursor.owner, 'Endpoint'])) return [endpointOffer('Endpoint')];
  return index.instancesOf(file, scope, cursor.owner).length > 0 ? verbOffers(cursor) : [];
}

function verbOffers(cursor: Cursor): Offer[] {
  const below = functionBelow(cursor.text, cursor.offset);
  const path = below ? `/${below.name.replaceAll('_', '-')}` : '/';
  const isCalled = /^[ \t]*\(/.test(cursor.text.slice(cursor.word.end, cursor.word.end + 20));
  return ROUTE_VERBS.map((verb) => ({
    label: verb,
    kind: CompletionItemKind.Method,
    ...(isCalled ? {} : { text: `${verb}("${path}")`, snippet: `${verb}("\${1:${literal(path)}}")` }),
    detail: `@${cursor.owner.join('.')}.${verb}("${path}")`,
    documentation: VERB_TEXTS[verb],
  }));
}
