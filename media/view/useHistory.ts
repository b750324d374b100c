/** The requests sent to each route before, newest first. */
import { useState } from 'preact/hooks';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';
import { type Draft, isKept, routeKey } from '../request/draft.ts';

export interface Sent {
  draft: Draft;
  /** Milliseconds since the epoch. */
  at: number;
}

interface History {
  sentTo(route: PageRoute): readonly Sent[];
  add(route: PageRoute, draft: Draft): void;
  clear(route: PageRoute): void;
}

/** Maximum distinct payloads per route. */
const MAX_SENT = 20;

/** @param app - Part of the storage name: different projects can use the same address at different times. */
export function useHistory({ store }: PageHost, app: string): History {
  const place = `history.${app}`;
  const [all, setAll] = useState(() => (store.read(place) ?? {}) as Record<string, Sent[]>);
  const change = (route: PageRoute, sent: Sent[]) => {
    const next = { ...all, [routeKey(route)]: sent };
    setAll(next);
    store.write(place, next);
  };
  const sentTo = (route: PageRoute) => all[routeKey(route)] ?? [];
  return {
    sentTo,
    add(route, draft) {
      if (!isKept(draft)) return;
      const text = JSON.stringify(draft);
      const others = sentTo(route).filter((one) => JSON.stringify(one.draft) !== text);
      change(route, [{ draft, at: Date.now() }, ...others].slice(0, MAX_SENT));
    },
    clear: (route) => change(route, []),
  };
}
