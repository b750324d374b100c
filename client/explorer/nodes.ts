/** What the explorer shows: a project, its endpoints, and the routes of each. */
import type { EndpointNode, ProjectNode, RouteNode } from '../../runtime/contract/editorMessages.ts';
import type { Projects } from './Projects.ts';

export type Node =
  | { type: 'project'; project: ProjectNode }
  | { type: 'endpoint'; project: ProjectNode; endpoint: EndpointNode }
  | { type: 'route'; project: ProjectNode; endpoint: EndpointNode; route: RouteNode };

/** The nodes below one; at the top the endpoints themselves where there is only one project. */
export function childrenOf(projects: Projects, parent: Node | undefined): Node[] {
  if (!parent) {
    const all = [...projects.values()].filter(({ endpoints }) => endpoints.length > 0);
    return all.length === 1 ? endpointsOf(all[0]!) : all.map((project) => ({ type: 'project', project }));
  }
  if (parent.type === 'project') return endpointsOf(parent.project);
  if (parent.type === 'route') return [];
  const { project, endpoint } = parent;
  return endpoint.routes.map((route) => ({ type: 'route', project, endpoint, route }));
}

/** Stays while the declaration keeps its file and its name, so that what is expanded stays expanded. */
export function idOf(node: Node): string {
  switch (node.type) {
    case 'project':
      return node.project.id;
    case 'endpoint':
      return `${node.project.id}#${node.endpoint.id}`;
    case 'route':
      return `${node.project.id}#${node.endpoint.id}#${node.route.id}`;
  }
}

function endpointsOf(project: ProjectNode): Node[] {
  return project.endpoints.map((endpoint) => ({ type: 'endpoint', project, endpoint }));
}
