/** The page: all routes on the left, the chosen one with its request and response on the right. */
import { useEffect, useState } from 'preact/hooks';
import type { RouteChoice } from '../../runtime/contract/panelMessages.ts';
import type { PageProject } from '../../runtime/contract/requestPage.ts';
import type { PageHost } from '../PageHost.ts';
import { routeKey } from '../request/draft.ts';
import { routeOfChoice } from '../request/routeOfChoice.ts';
import { AnswerView } from './AnswerView.tsx';
import { DevBanner, DevScreen } from './DevStateView.tsx';
import { Explorer } from './Explorer.tsx';
import { formatPath } from './formats.ts';
import { HostContext } from './HostContext.ts';
import { LogView } from './LogView.tsx';
import { RequestView } from './RequestView.tsx';
import { useDrafts } from './useDrafts.ts';
import { useExchanges } from './useExchanges.ts';
import { useHistory } from './useHistory.ts';
import { type LogLine, useProject } from './useProject.ts';

export function App({ host }: { host: PageHost }) {
  const { project, dev, logs, clearLogs } = useProject(host);
  return (
    <HostContext.Provider value={host}>
      {project && dev !== 'connected' && <DevBanner state={dev} />}
      {!project && dev !== 'connected' && <DevScreen state={dev} />}
      {project && <Project host={host} project={project} logs={logs} clearLogs={clearLogs} />}
      {!project && dev === 'connected' && <p class="empty">Reading the project…</p>}
    </HostContext.Provider>
  );
}

interface ProjectProps {
  host: PageHost;
  project: PageProject;
  logs: Record<string, LogLine[]>;
  clearLogs: (endpoint: string) => void;
}

function Project({ host, project, logs, clearLogs }: ProjectProps) {
  const choice = useChoice(host);
  const route = routeOfChoice(project.routes, choice);
  const drafts = useDrafts(host, project.app);
  const history = useHistory(host, project.app);
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
            route={route}
            endpoint={endpoint}
            needsToken={project.needsToken}
            draft={drafts.draftOf(route)}
            isRunning={running.has(key)}
            sent={history.sentTo(route)}
            forget={() => history.clear(route)}
            change={(draft) => drafts.change(route, draft)}
            reset={() => drafts.reset(route)}
            send={(request) => {
              history.add(route, drafts.draftOf(route));
              send(key, request);
            }}
            stop={() => stop(key)}
          />
          <AnswerView key={`answer ${key}`} route={route} endpoint={endpoint} exchange={exchanges[key]} />
          <LogView lines={logs[route.endpoint] ?? []} clear={() => clearLogs(route.endpoint)} />
        </main>
      ) : (
        <main class="empty">
          {project.routes.length > 0 ? (
            <Unserved choice={choice} />
          ) : (
            <p>
              No <code>@Endpoint</code> function found yet. It appears here when you save one.
            </p>
          )}
        </main>
      )}
    </div>
  );
}

function Unserved({ choice }: { choice: RouteChoice | null }) {
  if (choice === null || 'key' in choice) return <p>This route no longer exists. Choose another one.</p>;
  const { endpoint, route } = choice;
  const what = route ? `${route.method} ${route.path}` : (endpoint ?? 'this endpoint');
  return (
    <p>
      The dev server does not serve <code>{what}</code> yet. Save its file, or fix the problems in it.
    </p>
  );
}

function useChoice({ choice }: PageHost): RouteChoice | null {
  const [current, setCurrent] = useState(choice.current);
  useEffect(() => choice.follow(() => setCurrent(choice.current())), [choice]);
  return current;
}
