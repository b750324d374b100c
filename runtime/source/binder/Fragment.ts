/** What one segment of a file says, in the file's own numbers; the facts of a file are its fragments put together. */
import type { SegmentFault } from '../syntax/findFault.ts';
import type { BodyText } from './bodyReads.ts';
import type {
  Binding,
  ClassUse,
  Definition,
  FileFacts,
  Import,
  ImportTarget,
  LooseCall,
  LooseRoute,
  Scope,
} from './FileFacts.ts';
import type { IgnoreComment } from './ignoreComments.ts';
import type { NamedPlace } from './overwrittenNames.ts';

/** What the numbers in a fragment depend on: how much of the file stands before its segment. */
export interface FragmentPlace {
  /** The segment's first line. */
  line: number;
  /** Index of its first scope; the module's own is 0. */
  scopes: number;
  /** Index of its first definition. */
  definitions: number;
}

export interface Fragment {
  at: FragmentPlace;
  imports: Import[];
  /** Modules of star imports of the module itself. */
  stars: ImportTarget[];
  /** Names of the module that are changed in place before the segment binds them. */
  changed: string[];
  /** Names of the module that it binds. */
  bindings: Record<string, Binding[]>;
  /** Scopes inside of the module's. */
  scopes: Scope[];
  definitions: Definition[];
  looseCalls: LooseCall[];
  looseRoutes: LooseRoute[];
  classUses: ClassUse[];
  /** Names that a statement of the module gives to something else. */
  overwriting: NamedPlace[];
  exit: FileFacts['exit'];
  body: BodyText;
  ignores: IgnoreComment[];
  fault: SegmentFault | null;
  words: FragmentWords;
}

/** What the text of a segment says that counts for the whole file. */
export interface FragmentWords {
  mentionsSdk: boolean;
  /** It takes the class from a module, or names it in a text. */
  takesClass: boolean;
  /** Names that may stand for the class or an instance from here on: when called, and as values. */
  called: readonly string[];
  classes: readonly string[];
}

/** The fragment at another place; itself where nothing changes. */
export function moveFragment(fragment: Fragment, to: FragmentPlace): Fragment {
  const { at } = fragment;
  const by = {
    line: to.line - at.line,
    scopes: to.scopes - at.scopes,
    definitions: to.definitions - at.definitions,
  };
  return by.line === 0 && by.scopes === 0 && by.definitions === 0
    ? fragment
    : { ...move(fragment, by), at: to, words: fragment.words };
}

/**
 * Facts are plain data in which a number means the same wherever it stands: `line` is a line of the file, `scope`,
 * `body` and `parent` are indices of scopes, `definition` is one of a definition.
 */
function move<Data>(data: Data, by: FragmentPlace): Data;
function move(data: unknown, by: FragmentPlace): unknown {
  if (Array.isArray(data)) return data.map((item) => move(item, by));
  if (typeof data !== 'object' || data === null) return data;
  const from = data as Record<string, unknown>;
  const moved: Record<string, unknown> = {};
  for (const key of Object.keys(from)) {
    const value = from[key];
    const placed = typeof value === 'number' ? moveNumber(key, value, by) : move(value, by);
    // A name of Python may be `__proto__`.
    if (key === '__proto__')
      Object.defineProperty(moved, key, { value: placed, enumerable: true, configurable: true });
    else moved[key] = placed;
  }
  return moved;
}

function moveNumber(key: string, value: number, by: FragmentPlace): number {
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
