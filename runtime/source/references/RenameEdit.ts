/** What a rename changes, as plain data. */
import type { Range } from '../../contract/diagnostic.ts';

export interface RenameEdit {
  file: string;
  range: Range;
  text: string;
  /**
   * Why it is made. `certain`: without it, the rename would be half done. `follows`: the same, and the endpoint's name
   * becomes another with it. `maybe`: the place may mean something else. `keeps`: it keeps the endpoint's old name.
   */
  reason: 'certain' | 'follows' | 'maybe' | 'keeps';
}
