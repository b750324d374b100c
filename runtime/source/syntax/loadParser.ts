/** The engine for a command: the one that is ready sooner, or the one that serves large projects. */
import { ToolkitError } from '../../contract/errors.ts';
import { loadNativeParser, NATIVE_CAPACITY } from './nativeParser.ts';
import type { SyntaxParser } from './SyntaxParser.ts';
import { loadWasmParser } from './wasmParser.ts';

/**
 * Loads an engine for one reading: the native one, where it is installed, for little text, else the wasm engine. Both
 * give the same facts.
 *
 * @param length - UTF-16 units that are to be parsed, as far as known.
 * @throws ToolkitError INTERNAL when no engine can be loaded.
 */
export function loadParser(length: number): Promise<SyntaxParser> {
  const native = length <= NATIVE_CAPACITY ? nativeParser() : null;
  return native ? Promise.resolve(native) : loadWasmParser();
}

/** An optional dependency: not to have it, or none that this system can load, is no fault. */
function nativeParser(): SyntaxParser | null {
  try {
    return loadNativeParser();
  } catch (error) {
    if (error instanceof ToolkitError) return null;
    throw error;
  }
}
