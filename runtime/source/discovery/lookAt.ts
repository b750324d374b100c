/** The bytes of one Python file → what they tell before any parsing: whether it may declare, route or import. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { SDK_MODULE } from '../../contract/names.ts';
import { decodeSource } from './decodeSource.ts';
import { hasRouteDecorator, mentionsEndpoint } from './prefilter.ts';
import { undecodable } from './unreadable.ts';
import type { Candidate, WithheldModules } from './WithheldModules.ts';

/** Code that can name `Endpoint` says toolkit_sdk, imports the name or everything, or takes it from a module. */
const NAMES_ENDPOINT =
  /toolkit_sdk|\bimport\b[^#\n]*\bEndpoint\b|\bimport\s*\([^)]*\bEndpoint\b|\bimport[ \t]*\*|\.[ \t]*Endpoint\b/;

export interface Look {
  /** Stage 1: it says the words of a declaration. */
  mentions: boolean;
  /** Its text, when it mentions the words and can be decoded; dropped once its facts are known, unless it may declare. */
  text: string | null;
  /** Its code may name `Endpoint`. */
  mayDeclare: boolean;
  usesSdk: boolean;
  /** Stage 2: it has a route decorator of some instance, and none of the words. */
  mayRoute: boolean;
  /** Imports that may need a module that does not ship. */
  candidates: readonly Candidate[];
  /** It says the words, and no text can be made of its bytes. */
  fault: Diagnostic | null;
}

/** What most files of a project tell: nothing. */
const SILENT: Look = {
  mentions: false,
  text: null,
  mayDeclare: false,
  usesSdk: false,
  mayRoute: false,
  candidates: [],
  fault: null,
};

/** What stands around a file. */
interface Surroundings {
  withheld: WithheldModules;
}

/** Looks at a file's bytes. */
export function lookAt(file: string, bytes: Buffer, { withheld }: Surroundings): Look {
  const candidates = withheld.candidatesIn(bytes, file);
  if (!mentionsEndpoint(bytes)) {
    const mayRoute = hasRouteDecorator(bytes);
    return candidates.length > 0 || mayRoute ? { ...SILENT, candidates, mayRoute } : SILENT;
  }
  const usesSdk = bytes.includes(SDK_MODULE);
  const decoded = decodeSource(bytes);
  return 'text' in decoded
    ? {
        ...SILENT,
        mentions: true,
        text: decoded.text,
        mayDeclare: mayNameEndpoint(decoded.text),
        usesSdk,
        candidates,
      }
    : { ...SILENT, usesSdk, candidates, fault: undecodable(file, decoded) };
}

/** Looks at a text that an editor shows, whatever encoding it names: at each keystroke, so as little as can be. */
export function lookAtOpen(file: string, text: string, around: Surroundings): Look {
  if (!text.includes(SDK_MODULE)) {
    const look = lookAt(file, Buffer.from(text), around);
    return look.mentions || look.fault
      ? { ...look, mentions: true, fault: null, text, mayDeclare: mayNameEndpoint(text) }
      : look;
  }
  const { withheld } = around;
  const candidates = withheld.isEmpty ? [] : withheld.candidatesIn(Buffer.from(text), file);
  return { ...SILENT, mentions: true, text, mayDeclare: true, usesSdk: true, candidates };
}

/** Whether code that names the class may be in a text. */
function mayNameEndpoint(text: string): boolean {
  return NAMES_ENDPOINT.test(text);
}
