import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import { routeKey } from '../request/draft.ts';

/** The part of the page's address that chooses a route. */
export function addressOf(route: PageRoute): string {
  return `#${encodeURIComponent(routeKey(route))}`;
}
