/**
 * A function of another endpoint, imported at the top of a file that declares endpoints: only an import inside of a
 * body leaves the other's module, and what it imports, out of this file's endpoints.
 */
import type { Diagnostic, Range } from '../../contract/diagnostic.ts';
import type { FileFacts, Import } from '../facts/FileFacts.ts';
import { effectiveName } from '../index/Declaration.ts';
import { PeerFunctions } from './peerFunctions.ts';
import { finding, type Rule } from './rule.ts';
import { runsAtImport } from './runsAtImport.ts';
import { type ServedBody, servedBodies } from './servedBodies.ts';

export const topLevelPeerImport: Rule = (index) => {
  const bodies = servedBodies(index);
  const peers = new PeerFunctions(index);
  const declaring = new Set([
    ...index.declarations.filter(({ form }) => form !== 'table').map(({ file }) => file),
    ...bodies.map(({ file }) => file),
  ]);
  return [...declaring].flatMap((file) => {
    const facts = index.names.factsOf(file);
    if (!facts) return [];
    const own = new Set(
      bodies
        .filter((body) => body.file === file)
        .map(({ definition }) => facts.definitions.indexOf(definition)),
    );
    const reads = facts.reads.filter(({ definition }) => own.has(definition));
    return facts.imports
      .filter(({ guard, scope }) => guard === null && runsAtImport(facts, scope))
      .flatMap((item) =>
        namesOf(facts, item).flatMap(({ local, range }) => {
          const direct = item.names === null ? null : peers.named(facts, item.scope, [local]);
          const called = reads
            .filter(({ path }) => path[0] === local && path.length > 1)
            .map(({ path }) => peers.named(facts, 0, path))
            .find((peer) => peer !== null && isGivenBy(item, peer));
          const peer = direct ?? called;
          return peer ? [report(facts, range, peer)] : [];
        }),
      );
  });

  /** `import a.b` and `import a.c` bind one name: only the one that leads to the peer's file is meant. */
  function isGivenBy({ target, names }: Import, { file }: ServedBody): boolean {
    if (names !== null) return true;
    const { modules } = index.names;
    const stem = modules.resolve(target, file);
    return stem !== null && modules.fileOf(stem) === file;
  }
};

/** The names that an import statement binds, with their places. */
function namesOf({ scopes }: FileFacts, { target, names, scope, range, nameRanges }: Import) {
  const bound = Object.entries(scopes[scope]!.bindings).flatMap(([local, bindings]) =>
    bindings.map((binding) => ({ local, binding })),
  );
  if (names === null) {
    const first = target.module.split('.', 1)[0]!;
    const found = bound.find(
      ({ local, binding }) =>
        binding.kind === 'module' &&
        binding.target.folder === null &&
        (binding.target.module === target.module || (local === first && binding.target.module === first)),
    );
    return found ? [{ local: found.local, range }] : [];
  }
  return names.flatMap((name, at): { local: string; range: Range }[] => {
    const found = bound.find(
      ({ binding }) =>
        binding.kind === 'member' &&
        binding.name === name &&
        binding.target.folder === target.folder &&
        binding.target.module === target.module,
    );
    return found ? [{ local: found.local, range: nameRanges[at] ?? range }] : [];
  });
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
