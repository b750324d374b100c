/** The URLs of an endpoint's function or route: on the running dev server, and deployed. */
import type { DeployedEndpoint, RouteMethod } from '../../runtime/contract/endpoint.ts';
import { localQueuePath, localRoutePath } from '../../runtime/contract/localPaths.ts';
import { type Declaration, effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { servedNodes } from './endpointNodes.ts';
import type { ClientState, DocumentContext } from './feature.ts';

/** A route with a known path; null for a function or the whole endpoint. */
export type Route = { method: RouteMethod; path: string; file: string } | null;

/** The deployment of an endpoint as reported by the client; null if there is none. */
export function deployedOf({ deployed }: ClientState, declaration: Declaration): DeployedEndpoint | null {
  const name = effectiveName(declaration);
  return name !== null && Object.hasOwn(deployed, name) ? deployed[name]! : null;
}

/** The path on the dev server; null if it does not serve this. */
export function localPath(
  { project }: DocumentContext,
  declaration: Declaration,
  route: Route,
): string | null {
  if (declaration.form === 'table') return null;
  if (route) return localRoutePath(route.file, route.path);
  const [served] = declaration.served;
  if (declaration.kind !== 'queue' || !served) return null;
  const inFile = servedNodes(project.index).filter(
    (one) => one.file === served.file && one.declaration.kind === 'queue',
  );
  return localQueuePath(served.file, served.definition.name, inFile.length === 1);
}

/** The URL on the dev server; null while it does not run. */
export function localUrl(context: DocumentContext, declaration: Declaration, route: Route): string | null {
  const path = localPath(context, declaration, route);
  const { dev } = context.client;
  return path === null || dev === null ? null : `${dev}${path}`;
}

/** The URL of the deployed endpoint or route; null if it is not deployed. */
export function remoteUrl(
  { client }: DocumentContext,
  declaration: Declaration,
  route: Route,
): string | null {
  const base = deployedOf(client, declaration)?.url.replace(/\/$/, '');
  if (base === undefined) return null;
  if (route) return `${base}${route.path}`;
  return declaration.kind === 'queue' ? `${base}/runsync` : base;
}
