/** What a rename changes, as plain data. */
import type { Range } from '../../contract/diagnostic.ts';

export interface RenameEdit {
  file: string;
  range: Range;
  text: string;
  /**
   * Why the edit is made. `certain`: the rename is incomplete without it. `follows`: the same, and it changes the
   * endpoint's name. `maybe`: the text may mean something else. `keeps`: it keeps the endpoint's old name.
   */
  reason: 'certain' | 'follows' | 'maybe' | 'keeps';
}
