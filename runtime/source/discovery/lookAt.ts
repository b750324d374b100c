/** The bytes of one Python file → what is known without parsing: whether it may declare, decorate or import. */
import { SDK_MODULE } from '../../contract/names.ts';
import type { ImportTarget } from '../binder/FileFacts.ts';
import { importTarget } from '../binder/readImport.ts';
import { type Decoded, decodeSource } from './decodeSource.ts';
import { importedWords } from './importedWords.ts';
import { mentionsEndpoint } from './prefilter.ts';
import type { Candidate, WithheldModules } from './WithheldModules.ts';
import { writtenImports } from './writtenImports.ts';

/** Code that names `Endpoint` without toolkit_sdk imports the name or everything, or reads it from a module. */
const NAMES_ENDPOINT =
  /\bimport\b[^#\n]*\bEndpoint\b|\bimport\s*\([^)]*\bEndpoint\b|\bimport[ \t]*\*|\.[ \t]*Endpoint\b/;

const NOTHING: readonly never[] = [];

type Undecodable = Exclude<Decoded, { text: string }>;

/** Why a file cannot be read: the file system's error code, such as `EACCES`, or what is wrong with its bytes. */
export type Unreadable = { code: string } | Undecodable;

export interface Look {
  /** It contains the words of a declaration. */
  mentions: boolean;
  usesSdk: boolean;
  /** Modules that its code may import `Endpoint` from, when it does not use the SDK itself. */
  sources: readonly ImportTarget[];
  /** Its text, when it may declare and can be decoded. */
  text: string | null;
  /** The words of its imports; none when it uses the SDK itself. */
  words: readonly string[];
  /** Imports that may need a module that does not ship. */
  candidates: readonly Candidate[];
  /** Why its bytes cannot be decoded, when it contains the words; else null. */
  fault: Undecodable | null;
}

/** Nothing was found. */
const SILENT: Look = {
  mentions: false,
  usesSdk: false,
  sources: NOTHING,
  text: null,
  words: NOTHING,
  candidates: NOTHING,
  fault: null,
};

/** What a look depends on in addition to the file. */
interface Surroundings {
  withheld: WithheldModules;
  /** Names of standard modules that modules of the project hide. */
  hidden: ReadonlySet<string>;
}

/** Looks at a file's bytes. */
export function lookAt(file: string, bytes: Buffer, { withheld, hidden }: Surroundings): Look {
  const candidates = withheld.candidatesIn(bytes, file);
  const mentions = mentionsEndpoint(bytes);
  const usesSdk = mentions && bytes.includes(SDK_MODULE);
  const words = usesSdk ? NOTHING : importedWords(bytes, file, hidden);
  const found = { ...SILENT, usesSdk, words, candidates };
  if (!mentions) return found;
  const decoded = decodeSource(bytes);
  return 'text' in decoded
    ? { ...found, ...mention(file, decoded.text, usesSdk) }
    : { ...found, fault: decoded };
}

/**
 * Looks at a text that is open in an editor, whatever encoding it declares. Runs at each keystroke, so it does as
 * little as possible.
 */
export function lookAtOpen(file: string, text: string, around: Surroundings): Look {
  if (!text.includes(SDK_MODULE)) {
    const look = lookAt(file, Buffer.from(text), around);
    return look.mentions || look.fault ? { ...look, ...mention(file, text, false) } : look;
  }
  const { withheld } = around;
  const candidates = withheld.isEmpty ? NOTHING : withheld.candidatesIn(Buffer.from(text), file);
  return { ...SILENT, ...mention(file, text, true), candidates };
}

function mention(file: string, text: string, usesSdk: boolean) {
  const sources = usesSdk || !NAMES_ENDPOINT.test(text) ? NOTHING : modulesIn(file, text);
  return { mentions: true, text, usesSdk, sources, fault: null };
}

/** The modules that a text imports, each once. */
function modulesIn(file: string, text: string): ImportTarget[] {
  const modules = new Set([...writtenImports(text)].map(({ module }) => module));
  return [...modules].map((module) => importTarget(module, file));
}
