/**
 * The facts of one segment, with line and index numbers of its file. The facts of a file are its bound segments joined.
 */
import type { Range } from '../../contract/diagnostic.ts';
import type { SegmentFault } from '../syntax/findFault.ts';
import type { ExportList } from './exportedTexts.ts';
import type {
  Absence,
  Binding,
  BodyRead,
  ClassUse,
  Definition,
  Import,
  ImportTarget,
  Leads,
  LooseCall,
  LooseRoute,
  Scope,
} from './FileFacts.ts';
import type { IgnoreComment } from './ignoreComments.ts';
import type { SegmentExit } from './moduleExit.ts';
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

/** One use of a name of the module that binds or deletes it. */
export interface ModuleName {
  name: string;
  range: Range;
  /** Why a worker lacks the name after this use; null if the worker has it, as far as the text shows. */
  absence: Absence | null;
  /** The guard that keeps the statement from running. Workers of some Python versions may run it. */
  guard: Guard | null;
  /** Whether it is an unconditional statement that gives the name an unrelated value or deletes it. */
  overwrites: boolean;
  /** Whether a function declares the name `global`, so that any call may bind it. */
  isLater: boolean;
}

/** Uses that depend on names bound anywhere in the file. */
export interface SegmentUses {
  looseCalls: LooseCall[];
  looseRoutes: LooseRoute[];
  classUses: ClassUse[];
  /** Names of the module that decorated definitions read. */
  reads: Omit<BodyRead, 'absent'>[];
  /** Imported names that are read while the module is loaded. */
  loads: string[];
  /** Names of the module whose values functions and classes change in place. */
  changes: string[];
}

export interface BoundSegment {
  at: SegmentPlace;
  imports: Import[];
  /** Modules of star imports at the top level of the module. */
  stars: ImportTarget[];
  /** Names of the module whose values are changed in place before the segment binds them. */
  mutated: string[];
  /** Names of the module that it binds. */
  bindings: Record<string, Binding[]>;
  /** Every use that binds or deletes one of them. */
  moduleNames: ModuleName[];
  /** Names whose values its functions and classes may change in place. */
  perhapsChanged: string[];
  leads: Leads;
  /** Scopes inside the module's. */
  scopes: Scope[];
  definitions: Definition[];
  exported: ExportList[];
  exit: SegmentExit | null;
  ignores: IgnoreComment[];
  fault: SegmentFault | null;
  mentionsSdk: boolean;
  dependsOnVersion: boolean;
  /** Whether statements of the module are under conditions on names alone. */
  testsNames: boolean;
  /** Whether it takes the class `Endpoint` from a module, or names it in a string. */
  takesClass: boolean;
  /** Whether it binds names in ways that the text does not show. */
  bindsUnseen: boolean;
  uses: SegmentUses;
}

/** The segment at another position; the same object if nothing changes. */
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
 * Moves facts, which are plain data in which a property name always means the same: `line` is a line of the file,
 * `scope`, `body` and `parent` are indices of scopes, `definition` is the index of a definition. Data without a number
 * that moves stays the same object.
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
