/**
 * The bytes of one Python file → what can be found without parsing: whether it may declare endpoints,
 * decorate or import.
 */
import { SDK_MODULE } from '../../contract/names.ts';
import { type Decoded, decodeSource } from './decodeSource.ts';
import { importedWords } from './importedWords.ts';
import { mentionsEndpoint } from './prefilter.ts';
import type { Candidate, WithheldModules } from './WithheldModules.ts';

const NOTHING: readonly never[] = [];

/** Why the bytes of a file cannot be decoded. */
export type Undecodable = Exclude<Decoded, { text: string }>;

/**
 * Why a file cannot be read: the file system's error code, such as `EACCES`, or why its bytes cannot be
 * decoded.
 */
export type Unreadable = { code: string } | Undecodable;

export interface Look {
  /** Whether the file contains the words of a declaration. */
  mentions: boolean;
  usesSdk: boolean;
  /** The text of the file, if it uses the SDK and can be decoded. */
  text: string | null;
  /** The words in its imports. */
  words: readonly string[];
  /** Imports that may need a module that does not ship. */
  candidates: readonly Candidate[];
  /** Why its bytes cannot be decoded, if it contains the words of a declaration; otherwise null. */
  fault: Undecodable | null;
}

/** The result when nothing was found. */
const SILENT: Look = {
  mentions: false,
  usesSdk: false,
  text: null,
  words: NOTHING,
  candidates: NOTHING,
  fault: null,
};

/** What a look depends on, in addition to the file. */
interface Surroundings {
  withheld: WithheldModules;
  /** Names of standard library modules that modules of the project hide. */
  hidden: ReadonlySet<string>;
}

/** Looks at a file's bytes. */
export function lookAt(file: string, bytes: Buffer, { withheld, hidden }: Surroundings): Look {
  const mentions = mentionsEndpoint(bytes);
  const usesSdk = mentions && bytes.includes(SDK_MODULE);
  const candidates = withheld.candidatesIn(bytes, file);
  const found = { ...SILENT, usesSdk, words: wordsIn(bytes, file, hidden), candidates };
  if (!mentions) return found;
  const decoded = decodeSource(bytes);
  if (!('text' in decoded)) return { ...found, fault: decoded };
  return { ...found, mentions, text: usesSdk ? decoded.text : null };
}

/** Looks at a text that is open in an editor, ignoring the encoding that it declares. */
export function lookAtOpen(file: string, text: string, { withheld, hidden }: Surroundings): Look {
  const bytes = Buffer.from(text);
  const usesSdk = text.includes(SDK_MODULE);
  return {
    mentions: usesSdk || mentionsEndpoint(bytes),
    usesSdk,
    text: usesSdk ? text : null,
    words: importedWords(bytes, file, hidden),
    candidates: withheld.candidatesIn(bytes, file),
    fault: null,
  };
}

/** The words in imports. A name with letters outside ASCII may be in another encoding. */
function wordsIn(bytes: Buffer, file: string, hidden: ReadonlySet<string>): string[] {
  const words = importedWords(bytes, file, hidden);
  if (!words.some((word) => word.includes('\ufffd'))) return words;
  const decoded = decodeSource(bytes);
  return 'text' in decoded ? importedWords(Buffer.from(decoded.text), file, hidden) : words;
}
