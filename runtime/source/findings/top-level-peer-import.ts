import type { Range } from '../../contract/diagnostic.ts';
import type { Import } from '../binder/FileFacts.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import type { ServedBody } from '../declarations/servedBodies.ts';
import { moveImport, moveImports } from '../fixes/move-import.ts';
import type { FileIndex } from './FileIndex.ts';
import type { Finding, FoundText } from './Finding.ts';
import { neededImports, runsAtImport } from './neededImports.ts';
import { peerNamed } from './peers.ts';

/**
 * A function of another endpoint is imported at the top of the file. This makes the other function's whole
 * file part of this endpoint. Import it inside the function that calls it: the call is then a request to the
 * other endpoint.
 *
 * ```python
 * # gpu.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def embed(text: str):
 *     """Embed a text."""
 *
 * # search.py
 * from gpu import embed
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(cpu="cpu3c-1-2")
 * async def search(text: str):
 *     """Search for a text."""
 *     return await embed(text)
 * ```
 *
 * Fixed:
 *
 * ```python
 * # gpu.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint()
 * def embed(text: str):
 *     """Embed a text."""
 *
 * # search.py
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(cpu="cpu3c-1-2")
 * async def search(text: str):
 *     """Search for a text."""
 *     from gpu import embed
 *     return await embed(text)
 * ```
 */
export const topLevelPeerImport: Finding = {
  code: 'top-level-peer-import',
  severity: 'warning',
  chapter: 'Imports and packages',
  *find(index) {
    const { file, facts, bodies, names, ask } = index;
    const declares = bodies.length > 0 || index.declarations.some((one) => one.file === file);
    if (!facts || !declares) return;
    const own = new Set(bodies.map(({ definition }) => facts.definitions.indexOf(definition)));
    const reads = facts.reads.filter(({ definition }) => own.has(definition));
    const imports = neededImports(facts).filter(({ scope }) => runsAtImport(facts, scope));
    for (const item of imports) {
      // Peers are only in modules of the project.
      if (names.modules.resolve(item.target, file) === null) continue;
      if (item.names?.[0] === '*') {
        const given = ask.bodies(null).find((body) => isGivenByStar(index, item, body));
        if (given) yield foundAt(file, item.range, given);
        continue;
      }
      for (const [at, local] of item.locals.entries()) {
        const direct = item.names === null ? null : peerNamed(index, item.scope, [local]);
        const called = reads
          .filter(({ path }) => path[0] === local && path.length > 1)
          .filter(({ path }) => item.names !== null || isMeant(item, path, imports))
          .map(({ path }) => peerNamed(index, 0, path))
          .find((peer) => peer !== null);
        const peer = direct ?? called;
        if (peer) yield foundAt(file, item.nameRanges[at] ?? item.range, peer);
      }
    }
  },
  fixes: [moveImport],
  fixTogether: moveImports,
};

/** Whether a star import binds a peer's function under its own name. */
function isGivenByStar(index: FileIndex, { target, scope }: Import, peer: ServedBody): boolean {
  const { name } = peer.definition;
  const { file, facts, names } = index;
  const stem = names.modules.resolve(target, file);
  const source = stem === null ? null : names.modules.fileOf(stem);
  if (source === null || peerNamed(index, scope, [name])?.definition !== peer.definition) return false;
  if (Object.hasOwn(facts!.scopes[scope]!.bindings, name)) return false;
  return names
    .resolve(source, 0, [name])
    .some((entity) => entity.kind === 'definition' && entity.definition === peer.definition);
}

/**
 * `import a`, `import a.b` and `import a.c` bind the same name. Whether this import matches the longest part
 * of the dotted name that is read.
 */
function isMeant({ target }: Import, path: readonly string[], imports: readonly Import[]): boolean {
  const read = path.join('.');
  const beginnings = imports
    .filter(({ names, target: { module } }) => names === null && `${read}.`.startsWith(`${module}.`))
    .map(({ target: { module } }) => module.length);
  return beginnings.length === 0 || target.module.length === Math.max(...beginnings);
}

function foundAt(file: string, range: Range, { definition, declarations, ...peer }: ServedBody): FoundText {
  const { name, nameRange } = definition;
  const endpoint = effectiveName(declarations[0]!);
  const of = endpoint === null ? 'another endpoint' : `the endpoint "${endpoint}"`;
  return {
    file,
    range,
    message: `${name} belongs to ${of}, and importing it at the top of the file makes all of ${peer.file} part of this file's endpoints.`,
    related: [{ file: peer.file, range: nameRange, message: `${name} is declared here.` }],
    fix: `Import ${name} inside the functions that call it.`,
  };
}
