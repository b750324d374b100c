/** Names in a file → the functions of other endpoints that they refer to. */
import type { Import } from '../binder/FileFacts.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { ServedBody } from '../declarations/servedBodies.ts';
import type { FileIndex } from './FileIndex.ts';

/**
 * The function that a dotted name definitely refers to, if it is in another file and belongs to an endpoint
 * that is not this file's own.
 */
export function peerNamed(index: FileIndex, scope: number, path: readonly string[]): ServedBody | null {
  for (let end = 1; end <= path.length; end += 1) {
    const [entity, ...others] = index.names.resolve(index.file, scope, path.slice(0, end));
    if (entity === undefined || others.length > 0) return null;
    if (entity.kind === 'definition') {
      if (entity.file === index.file) return null;
      const bodies = index.ask.bodiesIn(entity.file);
      const peer = bodies.find(({ definition }) => definition === entity.definition);
      return peer && !isOwn(index, peer) ? peer : null;
    }
    if (entity.kind !== 'module') return null;
  }
  return null;
}

/** Whether an import statement leads to a module with functions of other endpoints. */
export function importsPeers(index: FileIndex, { target, names }: Import): boolean {
  const { modules } = index.names;
  const stem = modules.resolve(target, index.file);
  if (stem === null) return false;
  const stems = [stem, ...(names ?? []).flatMap((name) => modules.child(stem, name) ?? [])];
  const files = new Set(stems.map((one) => modules.fileOf(one)));
  return [...files].some(
    (file) => file !== null && index.ask.bodiesIn(file).some((body) => !isOwn(index, body)),
  );
}

/** Whether this file also declares or serves the endpoint. */
function isOwn({ bodies }: FileIndex, peer: ServedBody): boolean {
  const own = bodies.flatMap(({ declarations }) => declarations);
  return peer.declarations.every((declaration) => own.some((other) => isSame(declaration, other)));
}

function isSame(a: Declaration, b: Declaration): boolean {
  return a === b || (effectiveName(a) !== null && effectiveName(a) === effectiveName(b));
}
