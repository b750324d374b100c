/** The engine that runs everywhere: web-tree-sitter with the grammar's own wasm file, loaded once per process. */
import { readFileSync } from 'node:fs';
import { ToolkitError } from '../../contract/errors.ts';
import { distFile } from '../assets.ts';
import type { SyntaxParser } from './SyntaxParser.ts';

let loaded: Promise<SyntaxParser> | undefined;

/**
 * The wasm engine. The first call loads it, which takes about 20 ms; later calls share it.
 *
 * @throws ToolkitError INTERNAL when the files in dist/ are missing or cannot be loaded.
 */
export function loadWasmParser(): Promise<SyntaxParser> {
  loaded ??= load();
  return loaded;
}

function stopped(cause?: Error): ToolkitError {
  return new ToolkitError('INTERNAL', 'The Python parser crashed.', {
    hint: 'Run the command again. In VS Code, run "Restart Language Server".',
    cause,
  });
}

async function load(): Promise<SyntaxParser> {
  const { Language, Parser } = await import('web-tree-sitter');
  // Compiling WebAssembly does not keep a handle open, so an otherwise idle Node process would exit before it
  // is done.
  const alive = setInterval(() => {}, 1_000);
  try {
    await Parser.init({ wasmBinary: readFileSync(distFile('web-tree-sitter.wasm')) });
    const language = await Language.load(readFileSync(distFile('tree-sitter-python.wasm')));
    const parser = new Parser();
    parser.setLanguage(language);
    return {
      capacity: Number.POSITIVE_INFINITY,
      parse(text, ranges) {
        try {
          const tree = parser.parse(text, null, ranges ? { includedRanges: [...ranges] } : undefined);
          // Only a cancelled parse returns no tree.
          if (tree) return { rootNode: tree.rootNode, delete: () => tree.delete() };
        } catch (cause) {
          // An aborted module, such as one that ran out of memory, also fails in every later parse.
          if (cause instanceof Error && cause.name === 'RuntimeError') throw stopped(cause);
          throw cause;
        }
        throw stopped();
      },
    };
  } catch (cause) {
    throw new ToolkitError('INTERNAL', `The Python parser cannot be loaded from ${distFile('')}.`, {
      hint: 'Install the toolkit again. In a checkout of its source, run "npm run build".',
      cause,
    });
  } finally {
    clearInterval(alive);
  }
}
