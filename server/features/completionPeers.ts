/** Inside of a body: functions of other endpoints, which a call runs there, with the import that belongs into the body. */
import { declarationsAt } from '../../runtime/source/references/endpointSites.ts';
import { IMPORTABLE, servedOffer } from './completionImports.ts';
import type { Offer } from './completionItems.ts';
import type { Cursor } from './cursor.ts';
import { Declared, type Served } from './declared.ts';
import type { FeatureContext } from './feature.ts';
import { importInBody } from './missingImport.ts';

/** Words after which a name is bound, not read. */
const BINDING = /^(?:def|class|import|as|del|global|nonlocal|for)$/;

/** Offers where a name may be read. */
export function peerOffers(context: FeatureContext, cursor: Cursor, scope: number): Offer[] {
  const { project, document } = context;
  const declared = Declared.of(project.index);
  if (!cursor.blocks.some(({ keyword }) => keyword === 'def') || !declared.declares(document.file)) return [];
  if (BINDING.test(cursor.line.at(-1)?.text ?? '')) return [];
  const { names } = project.index;
  const seen = new Set<string>();
  return declared.served.flatMap((peer): Offer[] => {
    if (peer.file === document.file || seen.has(peer.name) || !IMPORTABLE.test(peer.module)) return [];
    seen.add(peer.name);
    const bound = names.resolve(document.file, scope, [peer.name]);
    const isPeer = bound.some(
      (entity) =>
        entity.kind === 'definition' &&
        declarationsAt(project.index, entity.file, entity.definition.nameRange.start).includes(
          peer.declaration,
        ),
    );
    if (bound.length > 0) return isPeer ? [peerOffer(peer, [])] : [];
    const edit = importInBody(cursor, peer.module, peer.name);
    return edit ? [peerOffer(peer, [edit])] : [];
  });
}

function peerOffer(peer: Served, edits: NonNullable<Offer['edits']>): Offer {
  const offer = servedOffer(peer);
  const documentation = [`\`from ${peer.module} import ${peer.name}\``, offer.documentation ?? []].flat();
  return { ...offer, documentation: documentation.join('\n\n'), edits };
}
