/** One change of a file, in editor positions. */
import type { Range } from '../../contract/diagnostic.ts';

/** A range of a file and its new text. The edits of one file never overlap. */
export interface TextEdit {
  range: Range;
  newText: string;
}
