/** What one segment of a file says, in the file's own numbers; the facts of a file are its bound segments joined. */
import type { Range } from '../../contract/diagnostic.ts';
import type { SegmentFault } from '../syntax/findFault.ts';
import type {
  Absence,
  Binding,
  BodyRead,
  ClassUse,
  Definition,
  FileFacts,
  Import,
  ImportTarget,
  Leads,
  LooseCall,
  LooseRoute,
  Scope,
} from './FileFacts.ts';
import type { IgnoreComment } from './ignoreComments.ts';
import type { Guard } from './reach.ts';

/** What the numbers in a bound segment depend on: how much of the file is before it. */
export interface SegmentPlace {
  /** Its first line. */
  line: number;
  /** Index of its first scope; the module's own is 0. */
  scopes: number;
  /** Index of its first definition. */
  definitions: number;
}

/** One place that binds a name of the module, or takes it away. */
export interface ModuleName {
  name: string;
  range: Range;
  /** Null where a worker runs the statement, as far as the text tells. */
  absence: Absence | null;
  /** Workers of some versions may run what is for another system or Python. */
  guard: Guard | null;
  /** A statement of the module itself that certainly gives the name to something else. */
  overwrites: boolean;
  /** A function declares the name `global`, so it may bind it whenever it is called. */
  isLater: boolean;
}

/** What depends on the names that the whole file makes known. */
export interface SegmentUses {
  looseCalls: LooseCall[];
  looseRoutes: LooseRoute[];
  classUses: ClassUse[];
  /** What decorated definitions read of the module's names. */
  reads: Omit<BodyRead, 'absent'>[];
}

export interface BoundSegment {
  at: SegmentPlace;
  imports: Import[];
  /** Modules of star imports of the module itself. */
  stars: ImportTarget[];
  /** Names of the module whose values are changed in place before the segment binds them. */
  mutated: string[];
  /** Names of the module that it binds. */
  bindings: Record<string, Binding[]>;
  /** Every place that binds one of them, or deletes it. */
  moduleNames: ModuleName[];
  leads: Leads;
  /** Scopes inside the module's. */
  scopes: Scope[];
  definitions: Definition[];
  exit: FileFacts['exit'];
  ignores: IgnoreComment[];
  fault: SegmentFault | null;
  mentionsSdk: boolean;
  dependsOnVersion: boolean;
  /** It takes the class from a module, or names it in a text. */
  takesClass: boolean;
  /** It binds names in ways that no text tells. */
  bindsUnseen: boolean;
  uses: SegmentUses;
}

/** The same segment at another place; itself where nothing changes. */
export function moveSegment(segment: BoundSegment, to: SegmentPlace): BoundSegment {
  const { at } = segment;
  const by = {
    line: to.line - at.line,
    scopes: to.scopes - at.scopes,
    definitions: to.definitions - at.definitions,
  };
  return by.line === 0 && by.scopes === 0 && by.definitions === 0
    ? segment
    : { ...moved(segment, by), at: { ...to } };
}

/**
 * Facts are plain data in which a number means the same wherever it is: `line` is a line of the file, `scope`, `body`
 * and `parent` are indices of scopes, `definition` is one of a definition. What has no number that moves stays the same
 * object.
 */
export function moved<Data>(data: Data, by: SegmentPlace): Data;
export function moved(data: unknown, by: SegmentPlace): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) {
    const items = data.map((item) => moved(item, by));
    return items.every((item, at) => item === data[at]) ? data : items;
  }
  const from = data as Record<string, unknown>;
  let result = from;
  for (const key of Object.keys(from)) {
    const value = from[key];
    const placed = typeof value === 'number' ? moveNumber(key, value, by) : moved(value, by);
    if (placed === value) continue;
    if (result === from) result = { ...from };
    result[key] = placed;
  }
  return result;
}

function moveNumber(key: string, value: number, by: SegmentPlace): number {
  switch (key) {
    case 'line':
      return value + by.line;
    case 'scope':
    case 'body':
    case 'parent':
      return value === 0 ? 0 : value + by.scopes;
    case 'definition':
      return value + by.definitions;
    default:
      return value;
  }
}
