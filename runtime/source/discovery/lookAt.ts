/** The bytes of one Python file → what is known without parsing: whether it may declare, decorate or import. */
import { SDK_MODULE } from '../../contract/names.ts';
import type { ImportTarget } from '../binder/FileFacts.ts';
import { importTarget } from '../binder/readImport.ts';
import { type Decoded, decodeSource } from './decodeSource.ts';
import { type Decorators, decoratorsIn, mentionsEndpoint } from './prefilter.ts';
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
  /** Stage 1: it contains the words of a declaration. */
  mentions: boolean;
  usesSdk: boolean;
  /** Modules that its code may import `Endpoint` from, when it does not use the SDK itself. */
  sources: readonly ImportTarget[];
  /** Its text, when it may declare and can be decoded. */
  text: string | null;
  /** Stage 2: decorators by instances of other files, when it contains none of the words. */
  decorators: Decorators;
  /** Imports that may need a module that does not ship. */
  candidates: readonly Candidate[];
  /** Why its bytes cannot be decoded, when it contains the words; else null. */
  fault: Undecodable | null;
}

/** The look at most files of a project: nothing was found. */
const SILENT: Look = {
  mentions: false,
  usesSdk: false,
  sources: NOTHING,
  text: null,
  decorators: { routes: false, bare: NOTHING },
  candidates: NOTHING,
  fault: null,
};

/** What a look depends on in addition to the file. */
interface Surroundings {
  withheld: WithheldModules;
}

/** Looks at a file's bytes. */
export function lookAt(file: string, bytes: Buffer, { withheld }: Surroundings): Look {
  const candidates = withheld.candidatesIn(bytes, file);
  if (!mentionsEndpoint(bytes)) {
    const decorators = decoratorsIn(bytes);
    const { routes, bare } = decorators;
    return candidates.length > 0 || routes || bare.length > 0
      ? { ...SILENT, candidates, decorators }
      : SILENT;
  }
  const usesSdk = bytes.includes(SDK_MODULE);
  const decoded = decodeSource(bytes);
  if (!('text' in decoded)) return { ...SILENT, usesSdk, candidates, fault: decoded };
  return { ...mention(file, decoded.text, usesSdk), candidates };
}

/**
 * Looks at a text that is open in an editor, whatever encoding it declares. Runs at each keystroke, so it does as
 * little as possible.
 */
export function lookAtOpen(file: string, text: string, around: Surroundings): Look {
  const usesSdk = text.includes(SDK_MODULE);
  if (!usesSdk) {
    const look = lookAt(file, Buffer.from(text), around);
    return look.mentions || look.fault
      ? { ...mention(file, text, false), candidates: look.candidates }
      : look;
  }
  const { withheld } = around;
  const candidates = withheld.isEmpty ? NOTHING : withheld.candidatesIn(Buffer.from(text), file);
  return { ...mention(file, text, true), candidates };
}

function mention(file: string, text: string, usesSdk: boolean): Look {
  const sources = usesSdk || !NAMES_ENDPOINT.test(text) ? NOTHING : modulesIn(file, text);
  return { ...SILENT, mentions: true, text, usesSdk, sources };
}

/** The modules that a text imports, each once. */
function modulesIn(file: string, text: string): ImportTarget[] {
  const modules = new Set([...writtenImports(text)].map(({ module }) => module));
  return [...modules].map((module) => importTarget(module, file));
}
