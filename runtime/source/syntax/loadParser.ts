/** The engine for a command: the native one, which starts sooner, or the wasm one, which handles large projects. */
import { ToolkitError } from '../../contract/errors.ts';
import { loadNativeParser, NATIVE_CAPACITY } from './nativeParser.ts';
import type { SyntaxParser } from './SyntaxParser.ts';
import { loadWasmParser } from './wasmParser.ts';

/**
 * Loads an engine for one read: the native engine for little text if it is installed, otherwise the wasm engine. Both
 * give the same facts.
 *
 * @param length - UTF-16 units to parse, as far as known.
 * @throws ToolkitError INTERNAL when no engine can be loaded.
 */
export function loadParser(length: number): Promise<SyntaxParser> {
  const native = length <= NATIVE_CAPACITY ? nativeParser() : null;
  return native ? Promise.resolve(native) : loadWasmParser();
}

/** The engine is an optional dependency: null if it is not installed or this system cannot load it. */
function nativeParser(): SyntaxParser | null {
  try {
    return loadNativeParser();
  } catch (error) {
    if (error instanceof ToolkitError) return null;
    throw error;
  }
}
