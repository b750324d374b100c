/**
 * A function of another endpoint, imported at the top of a file that declares endpoints: only an import inside of a
 * body leaves the other's module, and what it imports, out of this file's endpoints.
 */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import type { FileFacts, Import } from '../binder/FileFacts.ts';
import { effectiveName } from '../declarations/Declaration.ts';
import type { ServedBody } from '../declarations/servedBodies.ts';
import { boundNames } from './boundNames.ts';
import { finding, type Rule } from './Finding.ts';
import { PeerFunctions } from './peerFunctions.ts';
import { runsAtImport } from './runsAtImport.ts';

export const topLevelPeerImport: Rule = (index) => {
  const { file, facts, bodies } = index;
  const declares = bodies.length > 0 || index.declarations.some((one) => one.file === file);
  if (!facts || !declares) return [];
  const peers = new PeerFunctions(index);
  const own = new Set(bodies.map(({ definition }) => facts.definitions.indexOf(definition)));
  const reads = facts.reads.filter(({ definition }) => own.has(definition));
  const imports = facts.imports.filter(({ guard, scope }) => guard === null && runsAtImport(facts, scope));
  return imports.flatMap((item) => {
    // Other packages have no peers.
    if (index.names.modules.resolve(item.target, file) === null) return [];
    if (item.names?.[0] === '*') {
      const peer = index.allBodies().find((body) => isGivenByStar(facts, item, body));
      return peer ? [report(facts, item.range, peer)] : [];
    }
    return boundNames(facts, item).flatMap(({ local, range }) => {
      const direct = item.names === null ? null : peers.named(facts, item.scope, [local]);
      const called = reads
        .filter(({ path }) => path[0] === local && path.length > 1)
        .filter(({ path }) => item.names !== null || isMeant(item, path, imports))
        .map(({ path }) => peers.named(facts, 0, path))
        .find((peer) => peer !== null);
      const peer = direct ?? called;
      return peer ? [report(facts, range, peer)] : [];
    });
  });

  /** Whether a star import takes in the function of a peer, by its own name. */
  function isGivenByStar(facts: FileFacts, { target, scope }: Import, peer: ServedBody): boolean {
    const { name } = peer.definition;
    const { modules } = index.names;
    const stem = modules.resolve(target, facts.file);
    const file = stem === null ? null : modules.fileOf(stem);
    if (file === null || peers.named(facts, scope, [name])?.definition !== peer.definition) return false;
    if (Object.hasOwn(facts.scopes[scope]!.bindings, name)) return false;
    return index.names
      .resolve(file, 0, [name])
      .some((entity) => entity.kind === 'definition' && entity.definition === peer.definition);
  }
};

/** `import a`, `import a.b` and `import a.c` bind one name: meant is the one that names the most of what is read. */
function isMeant({ target }: Import, path: readonly string[], imports: readonly Import[]): boolean {
  const read = path.join('.');
  const beginnings = imports
    .filter(({ names, target: { module } }) => names === null && `${read}.`.startsWith(`${module}.`))
    .map(({ target: { module } }) => module.length);
  return beginnings.length === 0 || target.module.length === Math.max(...beginnings);
}

function report({ file }: FileFacts, range: Range, peer: ServedBody): Diagnostic {
  const { name } = peer.definition;
  const endpoint = effectiveName(peer.declarations[0]!);
  const of = endpoint === null ? 'another endpoint' : `the endpoint "${endpoint}"`;
  return finding('top-level-peer-import', {
    file,
    range,
    message: `${name} belongs to ${of}, and imported at the top of the file it makes all of ${peer.file} a part of this file's endpoints.`,
    related: [{ file: peer.file, range: peer.definition.nameRange, message: `${name} is declared here.` }],
    fix: `Import ${name} inside of the functions that call it.`,
  });
}
