/** What was typed for each route, kept in the browser. */
import { useEffect, useState } from 'preact/hooks';
import type { PageRoute } from '../../runtime/contract/requestPage.ts';
import { type Draft, firstDraft, routeKey } from '../request/draft.ts';

interface Drafts {
  draftOf(route: PageRoute): Draft;
  change(route: PageRoute, draft: Draft): void;
  /** Returns to the example. */
  reset(route: PageRoute): void;
}

/** @param app - Projects may share an address one after the other. */
export function useDrafts(app: string): Drafts {
  const place = `toolkit.drafts.${app}`;
  const [drafts, setDrafts] = useState<Record<string, Draft>>(() => stored(place));
  useEffect(() => store(place, drafts), [place, drafts]);
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

function stored(place: string): Record<string, Draft> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Record<string, Draft>;
  } catch {
    return {};
  }
}

/** What is too large for the browser is kept for as long as the page is open. */
function store(place: string, drafts: Record<string, Draft>): void {
  try {
    localStorage.setItem(place, JSON.stringify(drafts));
  } catch {
    localStorage.removeItem(place);
  }
}
