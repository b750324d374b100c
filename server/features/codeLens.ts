/**
 * `textDocument/codeLens`: above each endpoint and route, its commands and where it runs. Ranges are sent at once,
 * titles and commands when a lens is shown. Clients only get commands that they support.
 */
import type { CodeLens, Command } from 'vscode-languageserver';
import {
  EDITOR_COMMANDS,
  type EditorCommand,
  type LensKind,
  type LensTarget,
} from '../../runtime/contract/editorMessages.ts';
import type { Hardware } from '../../runtime/contract/endpoint.ts';
import { LIVE_PREFIX } from '../../runtime/contract/names.ts';
import {
  type Declaration,
  effectiveName,
  spokenName,
} from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument } from '../../runtime/source/declarations/endpointDocument.ts';
import { uriOfPath } from '../workspace/uris.ts';
import { declarationsIn } from './declarationsIn.ts';
import { nodesById } from './endpointNodes.ts';
import type { DocumentContext } from './feature.ts';
import { inputSchemaOf } from './inputSchema.ts';
import { deployedOf, localUrl, remoteUrl } from './urls.ts';

/** Sent with a lens until it is shown. */
interface LensData {
  uri: string;
  kind: LensKind;
  /** Id of the endpoint or route in the tree. */
  node: string;
}

const ACTIONS: Record<Exclude<LensKind, 'where'>, { command: EditorCommand; title?: string }> = {
  run: { command: EDITOR_COMMANDS.run, title: '▶ Run' },
  deploy: { command: EDITOR_COMMANDS.deploy, title: 'Deploy' },
  logs: { command: EDITOR_COMMANDS.logs, title: 'Logs' },
  'open-local': { command: EDITOR_COMMANDS.openUrl },
  'open-deployed': { command: EDITOR_COMMANDS.openUrl },
  curl: { command: EDITOR_COMMANDS.copyAsCurl, title: 'Copy as curl' },
};

/** The lenses of the document, without titles. */
export function codeLenses(context: DocumentContext): CodeLens[] {
  const { project, document, client } = context;
  const current = new Set(declarationsIn(context));
  return [...nodesById(project.index).values()].flatMap((node): CodeLens[] => {
    const { id, file, served, route, declaration } = node;
    const isEndpoint = served === null;
    if (!(isEndpoint ? current.has(declaration) : route && file === document.file)) return [];
    const isInstance = isEndpoint && declaration.kind === 'load-balanced' && declaration.form !== 'table';
    const kinds: LensKind[] = isInstance ? [] : ['run'];
    if (isEndpoint) kinds.push('deploy', 'logs');
    if (!isInstance) kinds.push(...addresses(context, declaration), 'curl');
    if (isEndpoint) kinds.push('where');
    const { start } = route?.range ?? declaration.call.range;
    return kinds
      .filter((kind) => kind === 'where' || client.commands.has(ACTIONS[kind].command))
      .map((kind): CodeLens & { data: LensData } => ({
        range: { start, end: start },
        data: { uri: document.uri, kind, node: id },
      }));
  });
}

/** Adds the title and command of a lens; only a title if its endpoint is gone. */
export async function resolveCodeLens(context: DocumentContext, lens: CodeLens): Promise<CodeLens> {
  return { ...lens, command: await commandOf(context, lens.data as LensData) };
}

/** Lenses that open addresses, if the client has reported them. */
function addresses({ client }: DocumentContext, declaration: Declaration): LensKind[] {
  const local: LensKind[] = client.dev === null ? [] : ['open-local'];
  return deployedOf(client, declaration) ? [...local, 'open-deployed'] : local;
}

async function commandOf(context: DocumentContext, { kind, node: id, uri }: LensData): Promise<Command> {
  const { project } = context;
  const node = nodesById(project.index).get(id);
  if (!node) return { title: 'This endpoint no longer exists', command: '' };
  const { declaration } = node;
  if (kind === 'where') return { title: whereItRuns(context, declaration), command: '' };
  const route = node.route && { ...node.route, file: node.file };
  const local = localUrl(context, declaration, route);
  const remote = remoteUrl(context, declaration, route);
  const url = kind === 'open-local' ? local : kind === 'open-deployed' ? remote : (local ?? remote);
  const target: LensTarget = {
    root: uriOfPath(project.root),
    node: id,
    uri,
    endpoint: effectiveName(declaration),
    route: route && { method: route.method, path: route.path },
    url,
    input: (await inputSchemaOf(project, id))?.example ?? null,
  };
  const { command, title = url } = ACTIONS[kind];
  if (title === null) return { title: 'not running', command: '', arguments: [target] };
  return { title, command, arguments: [target] };
}

/**
 * `on live-gpu_worker · GPU ANY` while dev runs, else `on gpu_worker · GPU ANY`; an instance adds the number of its
 * routes.
 */
function whereItRuns({ client, project }: DocumentContext, declaration: Declaration): string {
  const { hardware, kind, dynamic } = endpointDocument(declaration, project.index.names);
  const name = effectiveName(declaration);
  const parts = [
    name === null ? spokenName(declaration) : `on ${client.dev === null ? '' : LIVE_PREFIX}${name}`,
    ...hardwareText(hardware, dynamic),
  ];
  if (kind === 'load-balanced' && declaration.form !== 'table') {
    const count = declaration.routes.length;
    parts.push(count === 1 ? '1 route' : `${count} routes`);
  }
  const deployed = deployedOf(client, declaration);
  if (deployed) parts.push(`build ${deployed.build}${client.environment ? ` in ${client.environment}` : ''}`);
  return parts.join(' · ');
}

/** `GPU ADA_24`, `cpu5c-4-8`; empty for an invalid value. */
function hardwareText(hardware: Hardware | null, dynamic: readonly string[]): string[] {
  if (hardware === null) return dynamic.includes('hardware') ? ['hardware known only at run time'] : [];
  return ['gpu' in hardware ? `GPU ${hardware.gpu}` : hardware.cpu];
}
