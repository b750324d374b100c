/** In an import statement: names of toolkit_sdk, instances of other modules, and in a function body peers' functions. */
import { CompletionItemKind } from 'vscode-languageserver';
import { SDK_MODULE } from '../../runtime/contract/names.ts';
import { importTarget } from '../../runtime/source/binder/readImport.ts';
import { type Declaration, effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import type { CursorContext } from './atCursor.ts';
import { sdkOffers } from './completionHardware.ts';
import type { Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { concerns, importName, instances } from './declared.ts';
import { type ServedNode, servedNodes } from './endpointNodes.ts';

/** Offers in `from … import …`; null outside such a statement. */
export function importOffers(context: CursorContext): Offer[] | null {
  const words = context.cursor.line.map(({ text }) => text);
  if (words[0] !== 'from') return null;
  const at = words.indexOf('import');
  if (at === -1) return words.length === 1 && concerns(context) ? moduleOffers(context) : [];
  if (words.at(-1) === 'as') return [];
  const module = words.slice(1, at).join('');
  const given = new Set(words.slice(at + 1));
  const offers = module === SDK_MODULE ? sdkOffers() : namesOf(context, module);
  return offers.filter(({ label }) => !given.has(label));
}

/** Names that can be imported from another module here. Functions are only offered if the import is in a body. */
function namesOf({ project, document, cursor }: CursorContext, module: string): Offer[] {
  const { modules } = project.index.names;
  const stem = modules.resolve(importTarget(module, document.file), document.file);
  const file = stem === null ? null : modules.fileOf(stem);
  if (file === null || file === document.file) return [];
  const functions = isInBody(cursor) ? servedNodes(project.index).filter((one) => one.file === file) : [];
  return unique([
    ...functions.map(servedOffer),
    ...instances(project.index)
      .filter((one) => one.file === file)
      .map(({ name, declaration }) => instanceOffer(name, declaration)),
  ]);
}

/** A function or class of an endpoint. */
export function servedOffer({ declaration, served: { definition } }: ServedNode): Offer {
  return {
    label: definition.name,
    kind: definition.kind === 'class' ? CompletionItemKind.Class : CompletionItemKind.Function,
    detail: `runs on ${effectiveName(declaration) ?? 'its endpoint'}`,
    documentation: definition.description,
  };
}

/** A variable that is an instance. */
export function instanceOffer(label: string, declaration: Declaration): Offer {
  const detail = `load-balanced endpoint ${effectiveName(declaration) ?? ''}`.trim();
  return { label, kind: CompletionItemKind.Variable, detail };
}

/** Modules that have something to import here. */
function moduleOffers({ project, document, cursor }: CursorContext): Offer[] {
  const { index } = project;
  const modules = [...instances(index), ...(isInBody(cursor) ? servedNodes(index) : [])]
    .flatMap(({ file }) => (file === document.file ? [] : (importName(file) ?? [])))
    .map((label): Offer => ({ label, kind: CompletionItemKind.Module }));
  const sdk: Offer = {
    label: SDK_MODULE,
    kind: CompletionItemKind.Module,
    documentation: 'Declares functions as serverless endpoints.',
  };
  return unique(isInBody(cursor) ? [...modules, sdk] : [sdk, ...modules]);
}

/** Whether the cursor is in a function. */
export function isInBody({ blocks }: Cursor): boolean {
  return blocks.some(({ keyword }) => keyword === 'def');
}

function unique(offers: readonly Offer[]): Offer[] {
  return [...new Map(offers.map((offer) => [offer.label, offer])).values()];
}
