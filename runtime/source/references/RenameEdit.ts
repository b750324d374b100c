/** One edit of a rename, as plain data. */
import type { Range } from '../../contract/diagnostic.ts';

export interface RenameEdit {
  file: string;
  range: Range;
  text: string;
  /**
   * Why the edit is made. `certain`: the rename is incomplete without it. `follows`: the same, but it also
   * changes the endpoint's name. `maybe`: the text may mean something else. `keeps`: the edit keeps the
   * endpoint's old name.
   */
  reason: 'certain' | 'follows' | 'maybe' | 'keeps';
}
