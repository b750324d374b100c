/**
 * Loads the engine for a command: the native engine, which starts sooner, or the wasm engine, which handles
 * large projects.
 */
import { ToolkitError } from '../../contract/errors.ts';
import { loadNativeParser, NATIVE_CAPACITY } from './nativeParser.ts';
import type { SyntaxParser } from './SyntaxParser.ts';
import { loadWasmParser } from './wasmParser.ts';

/**
 * Loads an engine for one read: the native engine for short texts if it is installed, otherwise the wasm
 * engine. Both give the same facts.
 *
 * @param length - The known number of UTF-16 units to parse.
 * @throws ToolkitError INTERNAL when no engine can be loaded.
 */
export function loadParser(length: number): Promise<SyntaxParser> {
  const native = length <= NATIVE_CAPACITY ? nativeParser() : null;
  return native ? Promise.resolve(native) : loadWasmParser();
}

/**
 * Null if the engine, which is an optional dependency, is not installed or cannot be loaded on this system.
 */
function nativeParser(): SyntaxParser | null {
  try {
    return loadNativeParser();
  } catch (error) {
    if (error instanceof ToolkitError) return null;
    throw error;
  }
}
