/**
 * Parses the given files one after the other, and does nothing with the trees: the minimum work of any
 * reader.
 */
import { readFileSync } from 'node:fs';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';

const parser = await loadWasmParser();
const [list = ''] = process.argv.slice(2);
for (const file of readFileSync(list, 'utf8').split('\n')) parser.parse(readFileSync(file, 'utf8')).delete();
