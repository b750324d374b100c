/** Where in an argument of `Endpoint` the cursor is: what each module that offers values is told. */
import type { OpenBracket } from './structure.ts';

export interface ArgumentPlace {
  /** The call of `Endpoint`. */
  call: OpenBracket;
  /** The bracket inside of the value, such as a list's; null at the value itself. */
  inner: OpenBracket | null;
  /** Whether something of the value stands before the cursor. */
  begun: boolean;
}
