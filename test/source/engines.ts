/** The engines behind `SyntaxParser`, which must all read the same. */
import { loadNativeParser } from '../../runtime/source/syntax/nativeParser.ts';
import type { SyntaxParser } from '../../runtime/source/syntax/SyntaxParser.ts';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';

interface Engine {
  name: string;
  load(): Promise<SyntaxParser>;
}

export const ENGINES: readonly Engine[] = [
  { name: 'wasm', load: loadWasmParser },
  {
    name: 'native',
    load: () => {
      try {
        return Promise.resolve(loadNativeParser());
      } catch (cause) {
        throw new Error('Build the native engine: node test/setup/nativeEngine.ts', { cause });
      }
    },
  },
];
