/** Finds the target of a command: from a lens, an entry of the explorer, or the cursor. */
import * as vscode from 'vscode';
import type { EndpointNode, LensTarget, RouteNode } from '../../runtime/contract/editorMessages.ts';
import type { Entry } from '../explorer/nodes.ts';
import type { LanguageServer } from '../LanguageServer.ts';
import type { ProjectTree } from '../projects/ProjectTree.ts';

/** The argument of a command when called by a lens, the explorer, an editor menu, or the palette. */
export type Argument = LensTarget | Entry | vscode.Uri | undefined;

/** @returns Undefined if the argument or the cursor is not in an endpoint. */
export async function targetOf(
  argument: Argument,
  { projects, server }: { projects: ProjectTree; server: LanguageServer },
): Promise<LensTarget | undefined> {
  if (argument && 'node' in argument) return argument;
  if (argument && 'type' in argument) return entryTarget(argument);
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const found = await server.nodesIn(editor.document.uri);
  const node = found?.nodes.findLast(({ range: { start, end } }) =>
    new vscode.Range(start.line, start.character, end.line, end.character).contains(editor.selection.active),
  );
  const endpoint = found && node && projects.endpointOf({ root: found.root, node: node.id });
  if (!found || !node || !endpoint) return undefined;
  return target(found.root, endpoint, endpoint.routes.find(({ id }) => id === node.id) ?? null);
}

function entryTarget(entry: Entry): LensTarget | undefined {
  if (entry.type === 'endpoint') return target(entry.root, entry.endpoint, null);
  if (entry.type === 'route') return target(entry.root, entry.parent.endpoint, entry.route);
  return undefined;
}

/** A target without URL and example input, which only lenses have. */
function target(root: string, endpoint: EndpointNode, route: RouteNode | null): LensTarget {
  return {
    root,
    node: route?.id ?? endpoint.id,
    uri: route?.uri ?? endpoint.uri,
    endpoint: endpoint.name,
    route: route && { method: route.method, path: route.path },
    url: null,
    input: null,
  };
}
