/**
 * Resolved sets → the text of pylock.toml. Several sets are the groups of one lock: a package stands once for each
 * version, with a marker that names its sets, so that every installer of PEP 751 reads each of them.
 */
import { stringify } from 'smol-toml';
import { COMMON_SET } from '../../contract/names.ts';
import { type LockDocument, setMarker } from './lock.ts';

/** One set as its resolution gave it. */
export interface ResolvedSet {
  name: string;
  /** Whose it is; null for all endpoints that no other set names. */
  endpoints: string[] | null;
  /** Hash of everything that it was resolved from. */
  inputs: string;
  document: LockDocument;
}

/** The text of a lock of one set or several. */
export function renderLock(sets: readonly ResolvedSet[]): string {
  const [first] = sets;
  const isSingle = sets.length === 1 && first?.endpoints === null;
  const document = {
    ...first?.document.head,
    'created-by': 'toolkit',
    ...(isSingle ? {} : groups(sets)),
    packages: isSingle ? first.document.packages : mark(sets),
    tool: { toolkit: isSingle ? { inputs: first.inputs } : { sets: sets.map(setTable) } },
  };
  return `# Made by toolkit build; commit it. Renew it with: toolkit build --upgrade\n${stringify(document)}`;
}

function groups(sets: readonly ResolvedSet[]): Record<string, string[]> {
  const names = sets.map(({ name }) => name);
  return {
    'dependency-groups': names,
    'default-groups': names.filter((name) => name === COMMON_SET),
  };
}

function setTable({ name, endpoints, inputs }: ResolvedSet): object {
  return { name, ...(endpoints ? { endpoints } : {}), inputs };
}

/** Equal packages of several sets become one. */
function mark(sets: readonly ResolvedSet[]): object[] {
  const found = new Map<string, { table: Record<string, unknown>; sets: string[] }>();
  for (const { name, document } of sets) {
    for (const table of document.packages) {
      const key = JSON.stringify([table.name, table.version, table]);
      const entry = found.get(key) ?? { table, sets: [] };
      entry.sets.push(name);
      found.set(key, entry);
    }
  }
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return sorted.map(({ table, sets: names }) => {
    const { name, version, ...rest } = table;
    return { name, ...(version === undefined ? {} : { version }), marker: setMarker(names), ...rest };
  });
}
