/**
 * The facts of one segment, with the line and index numbers of its file. The facts of a file are its joined
 * bound segments.
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

/** The offsets of a segment's numbers, which depend on the part of the file before it. */
export interface SegmentPlace {
  /** The segment's first line. */
  line: number;
  /** Index of the segment's first scope; the module's scope is 0. */
  scopes: number;
  /** Index of the segment's first definition. */
  definitions: number;
}

/** One use of a module-level name that binds or deletes it. */
export interface ModuleName {
  name: string;
  range: Range;
  /** Why a worker does not have the name after this use; null if the text shows no reason. */
  absence: Absence | null;
  /** The guard that keeps the statement from running. Workers with some Python versions may still run it. */
  guard: Guard | null;
  /** Whether this is an unconditional statement that assigns an unrelated value to the name or deletes it. */
  overwrites: boolean;
  /** Whether a function declares the name `global`, so that any call of the function may bind it. */
  isLater: boolean;
}

/** Uses that depend on names bound anywhere in the file. */
export interface SegmentUses {
  looseCalls: LooseCall[];
  looseRoutes: LooseRoute[];
  classUses: ClassUse[];
  /** Module-level names that decorated definitions read. */
  reads: Omit<BodyRead, 'absent'>[];
  /** Imported names that are read while the module is loaded. */
  loads: string[];
  /** Module-level names whose values functions and classes change in place. */
  changes: string[];
}

export interface BoundSegment {
  at: SegmentPlace;
  imports: Import[];
  /** Modules of star imports at the top level of the module. */
  stars: ImportTarget[];
  /** Module-level names whose values are changed in place before the segment binds them. */
  mutated: string[];
  /** Module-level names that the segment binds. */
  bindings: Record<string, Binding[]>;
  /** Every use that binds or deletes a module-level name. */
  moduleNames: ModuleName[];
  /** Names whose values the segment's functions and classes may change in place. */
  perhapsChanged: string[];
  leads: Leads;
  /** Scopes inside the module's scope. */
  scopes: Scope[];
  definitions: Definition[];
  exported: ExportList[];
  exit: SegmentExit | null;
  ignores: IgnoreComment[];
  fault: SegmentFault | null;
  mentionsSdk: boolean;
  dependsOnVersion: boolean;
  /** Whether module-level statements are under conditions that test only a name. */
  testsNames: boolean;
  /** Whether the segment takes the class `Endpoint` from a module, or names it in a string. */
  takesClass: boolean;
  /** Whether the segment binds names in ways that the text does not show. */
  bindsUnseen: boolean;
  uses: SegmentUses;
}

/** Moves a segment to another position. Returns the same object if nothing changes. */
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
 * Moves facts. Facts are plain data in which a property name always means the same: `line` is a line of the
 * file; `scope`, `body` and `parent` are indices of scopes; `definition` is the index of a definition. Data
 * without such numbers stays the same object.
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
