/**
 * Inside a function body: functions of other endpoints, with the import that the body needs. A call of one runs on its
 * endpoint.
 */
import type { CursorContext } from './atCursor.ts';
import { isInBody, servedOffer } from './completionImports.ts';
import type { Offer } from './completionItems.ts';
import { importName } from './declared.ts';
import { servedNodes } from './endpointNodes.ts';
import { importInBody } from './missingImport.ts';

/** Words after which a name is bound, not read. */
const BINDING = /^(?:def|class|import|as|del|global|nonlocal|for)$/;

/** Offers where a name can be read. */
export function peerOffers({ project, document, cursor, scope }: CursorContext): Offer[] {
  const { index } = project;
  if (!isInBody(cursor) || index.touching(document.file).length === 0) return [];
  if (BINDING.test(cursor.line.at(-1)?.text ?? '')) return [];
  const seen = new Set<string>();
  return servedNodes(index).flatMap((peer): Offer[] => {
    const { name } = peer.served.definition;
    const module = importName(peer.file);
    if (peer.file === document.file || seen.has(name) || module === null) return [];
    seen.add(name);
    const bound = index.names.resolve(document.file, scope, [name]);
    const isPeer = bound.some(
      (entity) => entity.kind === 'definition' && entity.definition === peer.served.definition,
    );
    const edit = bound.length > 0 ? null : importInBody(cursor, module, name);
    if (!isPeer && !edit) return [];
    const offer = servedOffer(peer);
    const documentation = [`\`from ${module} import ${name}\``, offer.documentation ?? []].flat();
    return [{ ...offer, documentation: documentation.join('\n\n'), edits: edit ? [edit] : [] }];
  });
}
