/**
 * `textDocument/codeLens`: above each endpoint, function and route what can be done with it, and where it runs. The
 * places come at once, titles and commands when a lens is shown. Clients get only commands that they have.
 */
import { pathToFileURL } from 'node:url';
import type { CodeLens, Command } from 'vscode-languageserver';
import type { Range } from '../../runtime/contract/diagnostic.ts';
import {
  EDITOR_COMMANDS,
  type EditorCommand,
  type LensTarget,
} from '../../runtime/contract/editorMessages.ts';
import { type Declaration, effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { Declared } from './declared.ts';
import type { PlaceContext } from './feature.ts';
import { standing } from './standing.ts';
import { localUrl, remoteUrl } from './urls.ts';
import { whereItRuns } from './whereItRuns.ts';

/** What a lens does. */
type LensAction = 'run' | 'deploy' | 'logs' | 'open-local' | 'open-deployed' | 'curl' | 'where';

/** Carried by a lens until it is shown. */
interface LensData {
  uri: string;
  action: LensAction;
  endpoint: string;
  route: LensTarget['route'];
}

const COMMANDS: Record<Exclude<LensAction, 'where'>, EditorCommand> = {
  run: EDITOR_COMMANDS.run,
  deploy: EDITOR_COMMANDS.deploy,
  logs: EDITOR_COMMANDS.logs,
  'open-local': EDITOR_COMMANDS.openUrl,
  'open-deployed': EDITOR_COMMANDS.openUrl,
  curl: EDITOR_COMMANDS.copyAsCurl,
};

/** Lenses of the document, without their titles. */
export function codeLenses(context: PlaceContext): CodeLens[] {
  const lenses: CodeLens[] = [];
  for (const declaration of standing(context)) {
    const endpoint = effectiveName(declaration);
    if (endpoint === null) continue;
    const { call, form } = declaration;
    const isInstance = declaration.kind === 'load-balanced' && form !== 'table';
    const actions: LensAction[] = isInstance ? ['deploy', 'logs'] : ['run', 'deploy', 'logs'];
    if (!isInstance) actions.push(...addresses(context, endpoint));
    add(lenses, context, call.range, { actions: [...actions, 'where'], endpoint, route: null });
  }
  for (const { declaration, route } of routesIn(context)) {
    const endpoint = effectiveName(declaration);
    if (endpoint === null || route.path.state !== 'known') continue;
    const target = { method: route.method, path: route.path.value };
    const actions: LensAction[] = ['run', ...addresses(context, endpoint)];
    add(lenses, context, route.decorator.range, { actions, endpoint, route: target });
  }
  return lenses;
}

/** Title and command of a lens; what it belongs to may be gone since, and then it has a title alone. */
export function resolveCodeLens(context: PlaceContext, lens: CodeLens): CodeLens {
  const data = lensData(lens.data);
  return data ? { ...lens, command: commandOf(context, data) } : lens;
}

/** A deployed or local address is there only when the client has told of it. */
function addresses({ client }: PlaceContext, endpoint: string): LensAction[] {
  const local: LensAction[] = client.dev === null ? [] : ['open-local'];
  const deployed: LensAction[] = Object.hasOwn(client.deployed, endpoint) ? ['open-deployed'] : [];
  return [...local, ...deployed, 'curl'];
}

function add(
  lenses: CodeLens[],
  { client, document }: PlaceContext,
  { start }: Range,
  { actions, endpoint, route }: Pick<LensData, 'endpoint' | 'route'> & { actions: readonly LensAction[] },
): void {
  for (const action of actions) {
    if (action !== 'where' && !client.commands.has(COMMANDS[action])) continue;
    const data: LensData = { uri: document.uri, action, endpoint, route };
    lenses.push({ range: { start, end: start }, data });
  }
}

/** Routes that stand in the document, whichever file their instance stands in. */
function routesIn({ project, document }: PlaceContext) {
  return [...Declared.of(project.index).serving(document.file)].flatMap((declaration) =>
    declaration.routes.filter(({ file }) => file === document.file).map((route) => ({ declaration, route })),
  );
}

function commandOf(context: PlaceContext, { action, endpoint, route }: LensData): Command {
  const { project, client } = context;
  const declaration = find(context, endpoint, route);
  if (action === 'where') return { title: whereItRuns(context, endpoint, declaration), command: '' };
  const target: LensTarget = { root: pathToFileURL(project.root).href, endpoint, route };
  const command = COMMANDS[action];
  if (action === 'open-local' || action === 'open-deployed') {
    const url =
      action === 'open-local'
        ? localUrl(context, declaration, route)
        : remoteUrl(client.deployed[endpoint] ?? null, declaration?.kind ?? 'queue', route);
    return { title: url ?? 'not running', command: url === null ? '' : command, arguments: [target, url] };
  }
  return { title: TITLES[action], command, arguments: [target] };
}

const TITLES = { run: '▶ Run', deploy: 'Deploy', logs: 'Logs', curl: 'Copy as curl' } as const;

function find({ project }: PlaceContext, endpoint: string, route: LensTarget['route']): Declaration | null {
  const named = Declared.of(project.index).named(endpoint);
  const routed = named.find(({ routes }) =>
    routes.some(
      ({ method, path }) => method === route?.method && path.state === 'known' && path.value === route.path,
    ),
  );
  return routed ?? named[0] ?? null;
}

/** Lenses come back from the client as it was given them, or as another server's. */
function lensData(data: unknown): LensData | null {
  if (typeof data !== 'object' || data === null || !('action' in data) || !('endpoint' in data)) return null;
  return data as LensData;
}
