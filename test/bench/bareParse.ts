/** Parses the files that it is named, one after the other, and does nothing with the trees: what no reader can do without. */
import { readFileSync } from 'node:fs';
import { loadWasmParser } from '../../runtime/source/syntax/wasmParser.ts';

const parser = await loadWasmParser();
const [list = ''] = process.argv.slice(2);
for (const file of readFileSync(list, 'utf8').split('\n')) parser.parse(readFileSync(file, 'utf8')).delete();
