/** Python text → the facts of one file. */
import type { SyntaxParser } from '../syntax/SyntaxParser.ts';
import { FileBinder } from './FileBinder.ts';
import type { FileFacts } from './FileFacts.ts';

/** A file's text and its path relative to the root. */
interface SourceText {
  file: string;
  /** Without a byte order mark; a lone carriage return is a line feed. */
  text: string;
}

/** Reads one file's facts. Broken source costs what is broken, never an exception. */
export function readFacts({ file, text }: SourceText, parser: SyntaxParser): FileFacts {
  return new FileBinder(file, parser).read(text);
}
