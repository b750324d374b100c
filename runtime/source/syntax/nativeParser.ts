/**
 * The native engine: node-tree-sitter, if it is installed and can be loaded. The garbage collector does not
 * know the size of its trees, so the engine is not used for many files.
 */
import { createRequire } from 'node:module';
import type Parser from 'tree-sitter';
import { ToolkitError } from '../../contract/errors.ts';
import type { SyntaxParser } from './SyntaxParser.ts';

/**
 * In UTF-16 units. The native engine starts about 20 ms sooner than the wasm engine, but takes about 11 ms
 * more per 100,000 units, because each access to a node costs more. Its trees take about 150 times the memory
 * of the text.
 */
export const NATIVE_CAPACITY = 200_000;

/**
 * Loads the native engine.
 *
 * @throws ToolkitError INTERNAL when it is not installed, or its binary is for another system.
 */
export function loadNativeParser(): SyntaxParser {
  const parser = load();
  return {
    capacity: NATIVE_CAPACITY,
    parse(text, ranges) {
      const tree = parser.parse(text, null, ranges ? { includedRanges: [...ranges] } : {});
      // Only a cancelled parse returns no tree.
      if (!tree)
        throw new ToolkitError('INTERNAL', 'The Python parser crashed.', {
          hint: 'Run the command again. In VS Code, run "Restart Language Server".',
        });
      // The garbage collector frees the tree once nothing refers to it.
      return { rootNode: tree.rootNode, delete: () => {} };
    },
  };
}

function load(): Parser {
  try {
    const require = createRequire(import.meta.url);
    const NativeParser = require('tree-sitter') as typeof Parser;
    const parser = new NativeParser();
    parser.setLanguage(require('tree-sitter-python') as Parser.Language);
    return parser;
  } catch (cause) {
    throw new ToolkitError('INTERNAL', 'The native Python parser cannot be loaded.', {
      hint: 'Run "npm install tree-sitter tree-sitter-python", or install the toolkit again.',
      cause,
    });
  }
}
