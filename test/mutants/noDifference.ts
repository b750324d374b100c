/** Mutants that change nothing that a test of a round can notice. Each has its reason. They do not count. */
import type { PlacedMutant } from './rooms.ts';

/** The file, its line without indentation, what the mutant makes of the line, and why it makes no difference. */
const NO_DIFFERENCE: [file: string, before: string, after: string, why: string][] = [
  ['runtime/source/declarations/inputSchemaTexts.ts', 'tree.delete();', 'void 0;', 'it only frees memory'],
  [
    'runtime/source/binder/readUses.ts',
    "if (role !== 'read' || !path || flow.annotation || inside === -1) return false;",
    "if (role !== 'read' && !path || flow.annotation || inside === -1) return false;",
    'of an attribute, the path before it is read by a use of its own',
  ],
  [
    'runtime/source/syntax/ParsedSegment.ts',
    'for (const tree of this.#trees.splice(0)) tree.delete();',
    'for (const tree of this.#trees.splice(1)) tree.delete();',
    'it only frees memory, which the collector frees later',
  ],
  [
    'runtime/source/syntax/formFault.ts',
    'if (!mayBeIn(text)) continue;',
    'if (false) continue;',
    'it only saves a search that finds nothing',
  ],
  [
    'runtime/build/dependencies/downloadNetwork.ts',
    "report({ type: 'warning', message });",
    'void 0;',
    'only an older Node gets here than the one that runs the tests',
  ],
  [
    'runtime/build/dependencies/downloadFile.ts',
    'const CHUNK = 1 << 20;',
    'const CHUNK = 2 << 20;',
    'it is how much is read at once',
  ],
  [
    'runtime/build/dependencies/buildWheel.ts',
    'for (const left of await leftovers(folder, /-(\\d+)$/)) await rm(left, { recursive: true, force: true });',
    'for (const left of await leftovers(folder, /-(\\d+)$/)) await rm(left, { recursive: true, force: false });',
    'another build would have to remove the same folder in that moment',
  ],
  [
    'runtime/platform/drivers/localLogs.ts',
    'if (isMissing(error)) return 0;',
    'if (isMissing(error)) return 1;',
    'both are long ago',
  ],
  [
    'runtime/platform/store/committer.ts',
    'if (!staysOpen) this.commit();',
    'if (false) this.commit();',
    'its thread commits the transaction a moment later, before it reports the results',
  ],
  ['runtime/platform/events.ts', 'this.setMaxListeners(0);', 'void 0;', 'it only prevents a warning of Node'],
  [
    'runtime/platform/http/pipelined.ts',
    "response.emit('close');",
    'void 0;',
    'only an older Node gets here than the one that runs the tests',
  ],
  [
    'runtime/platform/jobs/resultBatch.ts',
    'await nextTurn();',
    'void 0;',
    'it only changes who is answered first',
  ],
  [
    'runtime/python/toolkit_sdk/_agent/log_file.py',
    'if self._descriptor < 0:',
    'if self._descriptor <= 0:',
    'a log never has descriptor 0, which is standard input',
  ],
  [
    'runtime/python/toolkit_sdk/_agent/memory.py',
    'if self._ended.wait(_SHORT_PAUSE if self.used > allowed / 2 else _PAUSE):',
    'if self._ended.wait(_SHORT_PAUSE if self.used > allowed / 3 else _PAUSE):',
    'it only changes how often memory is measured',
  ],
];

/** Null for a mutant that a test can notice. */
export function whyNoDifference({ file, before, after }: PlacedMutant): string | null {
  return NO_DIFFERENCE.find((one) => one[0] === file && one[1] === before && one[2] === after)?.[3] ?? null;
}
