/** The page: all routes at the left, the chosen one with its request and answer at the right. */
import { useEffect, useState } from 'preact/hooks';
import type { PageProject, PageRoute } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';
import { routeKey } from '../request/draft.ts';
import { AnswerView } from './AnswerView.tsx';
import { addressOf } from './addressOf.ts';
import { Explorer } from './Explorer.tsx';
import { formatPath } from './formats.ts';
import { LogView } from './LogView.tsx';
import { RequestView } from './RequestView.tsx';
import { useDrafts } from './useDrafts.ts';
import { useExchanges } from './useExchanges.ts';
import { type LogLine, useProject } from './useProject.ts';

export function App({ host }: { host: PageHost }) {
  const { project, isConnected, logs, clearLogs } = useProject(host);
  return (
    <>
      {!isConnected && (
        <p class="banner" role="status">
          The dev server does not answer. Start it with <code>toolkit dev</code>; this page connects by
          itself.
        </p>
      )}
      {project ? (
        <Project host={host} project={project} logs={logs} clearLogs={clearLogs} />
      ) : (
        <p class="empty">{isConnected ? 'Reading the project…' : ''}</p>
      )}
    </>
  );
}

interface ProjectProps {
  host: PageHost;
  project: PageProject;
  logs: Record<string, LogLine[]>;
  clearLogs: (endpoint: string) => void;
}

function Project({ host, project, logs, clearLogs }: ProjectProps) {
  const route = useChosenRoute(project.routes);
  const drafts = useDrafts(project.app);
  const { exchanges, send, stop } = useExchanges(host);
  useEffect(() => {
    document.title = route ? `${formatPath(route.path)} · ${project.app}` : project.app;
  });
  const key = route && routeKey(route);
  const endpoint = project.endpoints.find(({ name }) => name === route?.endpoint);
  const running = new Set(
    Object.entries(exchanges).flatMap(([one, { state }]) => (state === 'running' ? [one] : [])),
  );
  return (
    <div class="layout">
      <Explorer project={project} chosen={key} running={running} />
      {route && key !== null ? (
        <main class="route">
          <RequestView
            key={key}
            host={host}
            route={route}
            endpoint={endpoint}
            needsToken={project.needsToken}
            draft={drafts.draftOf(route)}
            isRunning={running.has(key)}
            change={(draft) => drafts.change(route, draft)}
            reset={() => drafts.reset(route)}
            send={(request) => send(key, request)}
            stop={() => stop(key)}
          />
          <AnswerView key={`answer ${key}`} route={route} endpoint={endpoint} exchange={exchanges[key]} />
          <LogView lines={logs[route.endpoint] ?? []} clear={() => clearLogs(route.endpoint)} />
        </main>
      ) : (
        <main class="empty">
          {project.routes.length > 0 ? (
            <p>This route is not served any more. Choose another one.</p>
          ) : (
            <p>
              No <code>@Endpoint</code> function was found yet. Save one, and it appears here.
            </p>
          )}
        </main>
      )}
    </div>
  );
}

/** The route that the address names, or the first one where it names none. */
function useChosenRoute(routes: readonly PageRoute[]): PageRoute | null {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const named = hash === '' ? routes[0] : routes.find((route) => addressOf(route) === hash);
  return named ?? null;
}
