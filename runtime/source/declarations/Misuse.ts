/** A finding about a use of `Endpoint`, or of its instances, that declares nothing. */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';

/** A use of `Endpoint` that a worker cannot serve. */
export interface Misuse {
  code: 'unsupported-form' | 'endpoint-in-function' | 'endpoint-as-value';
  file: string;
  range: Range;
  message: string;
  fix: string;
  related?: RelatedLocation[];
}
