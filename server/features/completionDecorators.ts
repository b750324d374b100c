/** After `@`: the project's instances and `Endpoint`. After `@api.`: the verbs, with a path for the function below. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { ROUTE_VERBS } from '../../runtime/contract/endpoint.ts';
import { effectiveName } from '../../runtime/source/index/Declaration.ts';
import { itemsOf, literal, type Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { Declared } from './declared.ts';
import type { FeatureContext } from './feature.ts';
import { functionBelow } from './functionBelow.ts';
import { moduleName, sdkName } from './missingImport.ts';
import { VERB_TEXTS } from './verbs.ts';

/** Offers after `@`: instances of this file first. */
export function decoratorOffers(context: FeatureContext, cursor: Cursor, scope: number): CompletionItem[] {
  const { document, project } = context;
  const { instances } = Declared.of(project.index);
  const sorted = instances.toSorted(
    (a, b) => Number(b.file === document.file) - Number(a.file === document.file),
  );
  const seen = new Set<string>();
  const offers = sorted.flatMap(({ name, file, module, declaration }): Offer[] => {
    // A name of the file's own hides the other modules' ones.
    if (seen.has(name)) return [];
    const isBound = project.index.instancesOf(document.file, scope, [name]).includes(declaration);
    if (!isBound && (file === document.file || isOtherwiseBound(context, name))) return [];
    seen.add(name);
    const written = isBound ? { text: name, edits: [] } : moduleName(context, module, name);
    return [
      {
        label: name,
        kind: CompletionItemKind.Variable,
        detail: `load-balanced endpoint ${effectiveName(declaration) ?? ''}`.trim(),
        ...(isBound ? {} : { documentation: `\`from ${module} import ${name}\`` }),
        edits: written.edits,
      },
    ];
  });
  const endpoint = sdkName(context, 'Endpoint');
  offers.push({
    label: `${endpoint.text}(`,
    filter: endpoint.text,
    snippet: `${literal(endpoint.text)}(\${1:name="$2"})`,
    kind: CompletionItemKind.Class,
    detail: 'queue-based endpoint',
    edits: endpoint.edits,
  });
  return itemsOf(context, cursor, offers);
}

/** Offers after the dot of an instance in a decorator. */
export function verbOffers(context: FeatureContext, cursor: Cursor, scope: number): CompletionItem[] {
  const { document, project } = context;
  if (project.index.instancesOf(document.file, scope, cursor.owner).length === 0) return [];
  const below = functionBelow(cursor.text, cursor.offset);
  const path = below ? `/${below.name.replaceAll('_', '-')}` : '/';
  const isCalled = /^[ \t]*\(/.test(cursor.text.slice(cursor.word.end, cursor.word.end + 20));
  return itemsOf(
    context,
    cursor,
    ROUTE_VERBS.map((verb) => ({
      label: verb,
      kind: CompletionItemKind.Method,
      ...(isCalled ? {} : { text: `${verb}("${path}")`, snippet: `${verb}("\${1:${literal(path)}}")` }),
      detail: `@${cursor.owner.join('.')}.${verb}("${path}")`,
      documentation: VERB_TEXTS[verb],
    })),
  );
}

function isOtherwiseBound({ document }: FeatureContext, name: string): boolean {
  return Object.hasOwn(document.facts.scopes[0]!.bindings, name);
}
