/** The drafts of all routes, stored by the host. */
import { useEffect, useState } from 'preact/hooks';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';
import { type Draft, firstDraft, isKept, routeKey } from '../request/draft.ts';

interface Drafts {
  draftOf(route: PageRoute): Draft;
  change(route: PageRoute, draft: Draft): void;
  /** Returns to the example. */
  reset(route: PageRoute): void;
}

/** @param app - Part of the storage name: different projects can use the same address at different times. */
export function useDrafts({ store }: PageHost, app: string): Drafts {
  const place = `drafts.${app}`;
  const [drafts, setDrafts] = useState(() => (store.read(place) ?? {}) as Record<string, Draft>);
  useEffect(() => {
    const kept = Object.entries(drafts).filter(([, draft]) => isKept(draft));
    store.write(place, Object.fromEntries(kept));
  }, [store, place, drafts]);
  return {
    draftOf: (route) => drafts[routeKey(route)] ?? firstDraft(route),
    change: (route, draft) => setDrafts((known) => ({ ...known, [routeKey(route)]: draft })),
    reset: (route) =>
      setDrafts((known) => {
        const { [routeKey(route)]: _gone, ...rest } = known;
        return rest;
      }),
  };
}
