/** What is wrong where `Endpoint`, or what it makes, is used in a way that declares nothing. */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';

/** A use of `Endpoint` that no worker could serve. */
export interface Misuse {
  code: 'unsupported-form' | 'endpoint-in-function' | 'endpoint-as-value';
  file: string;
  range: Range;
  message: string;
  fix: string;
  related?: RelatedLocation[];
}
