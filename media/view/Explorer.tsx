/** All routes of the project, grouped by file. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageEndpoint, PageProject, PageRoute } from '../../runtime/contract/requestPage.ts';
import { routeKey } from '../request/draft.ts';
import { formatPath } from './formats.ts';
import { useHost } from './HostContext.ts';

interface ExplorerProps {
  project: PageProject;
  /** Key of the chosen route. */
  chosen: string | null;
  /** Keys of routes with a running request. */
  running: ReadonlySet<string>;
}

export function Explorer({ project, chosen, running }: ExplorerProps) {
  const { origin } = useHost();
  const [filter, setFilter] = useState('');
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => focusOnSlash(search.current!), []);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = project.routes.filter((route) => {
    const text = `${route.method} ${route.path} ${route.endpoint} ${route.description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const files = [...Map.groupBy(shown, ({ file }) => file)];
  return (
    <nav class="explorer" aria-label="Routes" onKeyDown={moveFocus}>
      <header>
        <h1>{project.app}</h1>
        <span class="muted">{project.environment}</span>
      </header>
      <input
        ref={search}
        type="search"
        placeholder="Filter"
        aria-label="Filter routes"
        aria-keyshortcuts="/"
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      <RouteSelect routes={project.routes} chosen={chosen} />
      {files.map(([file, routes]) => (
        <section key={file} aria-label={file}>
          <h2>{file}</h2>
          <ul>
            {routes.map((route) => (
              <Item
                key={routeKey(route)}
                route={route}
                endpoint={project.endpoints.find(({ name }) => name === route.endpoint)}
                isChosen={routeKey(route) === chosen}
                isRunning={running.has(routeKey(route))}
              />
            ))}
          </ul>
        </section>
      ))}
      {files.length === 0 && project.routes.length > 0 && <p class="muted">No matching routes.</p>}
      <footer>
        <a href={`${origin}/openapi.json`}>openapi.json</a>
      </footer>
    </nav>
  );
}

/** Replaces the list if the page is narrow. */
function RouteSelect({ routes, chosen }: { routes: readonly PageRoute[]; chosen: string | null }) {
  const { choice } = useHost();
  return (
    <select
      class="compact"
      aria-label="Route"
      value={chosen ?? ''}
      onChange={({ currentTarget }) => choice.choose(currentTarget.value)}
    >
      {chosen === null && <option value="">Choose a route</option>}
      {[...Map.groupBy(routes, ({ file }) => file)].map(([file, own]) => (
        <optgroup key={file} label={file}>
          {own.map((route) => (
            <option key={routeKey(route)} value={routeKey(route)}>
              {`${verbOf(route)} ${nameOf(route)}`}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

interface ItemProps {
  route: PageRoute;
  endpoint: PageEndpoint | undefined;
  isChosen: boolean;
  isRunning: boolean;
}

function Item({ route, endpoint, isChosen, isRunning }: ItemProps) {
  const { choice } = useHost();
  const state = isRunning ? 'running' : stateOf(endpoint);
  return (
    <li>
      <a
        href={`#${encodeURIComponent(routeKey(route))}`}
        onClick={(event) => {
          // Let the browser open it in another tab.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          choice.choose(routeKey(route));
        }}
        aria-current={isChosen ? 'page' : undefined}
        title={route.description ?? undefined}
      >
        <span class={`method ${route.method.toLowerCase()}`}>{verbOf(route)}</span>
        <span class="name">{nameOf(route)}</span>
        <span class={`state ${state.replaceAll(' ', '-')}`} title={state} />
      </a>
    </li>
  );
}

function verbOf({ kind, method }: PageRoute): string {
  return kind === 'queue' ? 'RUN' : method;
}

/** The path without the part that the file's heading shows. */
function nameOf({ kind, path, file, endpoint }: PageRoute): string {
  const stem = `/${file.replace(/\.py$/, '').split('/').map(encodeURIComponent).join('/')}`;
  const rest = path.startsWith(stem) ? path.slice(stem.length) : path;
  if (kind !== 'queue') return formatPath(rest);
  return formatPath(rest.replace(/\/runsync$/, '').slice(1)) || endpoint;
}

function stateOf(endpoint: PageEndpoint | undefined): string {
  if (!endpoint) return 'not provisioned';
  // If stale, the earlier version, if any, still serves.
  return endpoint.stale ? (endpoint.hardware === null ? 'failed' : 'outdated') : endpoint.state;
}

function focusOnSlash(input: HTMLInputElement): () => void {
  const pressed = (event: KeyboardEvent) => {
    const [inner] = event.composedPath() as HTMLElement[];
    if (event.key !== '/' || inner?.isContentEditable || inner?.matches('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

/** Moves through the list with the arrow keys. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const nav = event.currentTarget as HTMLElement;
  if (step === undefined) return;
  const items = [...nav.querySelectorAll<HTMLElement>('input, li a')];
  const next = items[items.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
