/** Inside of a body: functions of other endpoints, which a call runs there, with the import that belongs into the body. */
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { IMPORTABLE } from './completionImports.ts';
import { itemsOf, type Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { Declared, type Served } from './declared.ts';
import type { FeatureContext } from './feature.ts';
import { importInBody } from './missingImport.ts';

/** Words after which a name is bound, not read. */
const BINDING = /^(?:def|class|import|as|del|global|nonlocal|for)$/;

/** Offers where a name may be read. */
export function peerOffers(context: FeatureContext, cursor: Cursor, scope: number): CompletionItem[] {
  const { project, document } = context;
  const declared = Declared.of(project.index);
  if (!cursor.blocks.some(({ keyword }) => keyword === 'def') || !declared.declares(document.file)) return [];
  const last = cursor.line.at(-1);
  if (last && BINDING.test(cursor.text.slice(last.start, last.end))) return [];
  const { names } = project.index;
  const seen = new Set<string>();
  return itemsOf(
    context,
    cursor,
    declared.served.flatMap((peer): Offer[] => {
      if (peer.file === document.file || seen.has(peer.name) || !IMPORTABLE.test(peer.module)) return [];
      seen.add(peer.name);
      const bound = names.resolve(document.file, scope, [peer.name]);
      const isPeer = bound.some(
        (entity) =>
          entity.kind === 'definition' &&
          declared.servedAt(entity.file, entity.definition.line).includes(peer),
      );
      if (isPeer) return [offerOf(peer, [])];
      if (bound.length > 0) return [];
      const edit = importInBody(cursor, peer.module, peer.name);
      return edit ? [offerOf(peer, [edit])] : [];
    }),
  );
}

function offerOf(
  { name, isClass, module, declaration, description }: Served,
  edits: NonNullable<Offer['edits']>,
): Offer {
  const lines = [`\`from ${module} import ${name}\``, ...(description === null ? [] : [description])];
  return {
    label: name,
    kind: isClass ? CompletionItemKind.Class : CompletionItemKind.Function,
    detail: `runs on ${effectiveName(declaration) ?? 'its endpoint'}`,
    documentation: lines.join('\n\n'),
    edits,
  };
}
