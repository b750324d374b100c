/** The server's notifications, each with only the changes → the current state of all projects. */
import type { EndpointNode, EndpointTree, ProjectNode } from '../../runtime/contract/editorMessages.ts';

/** Immutable. Unchanged parts are shared with the previous version. */
export type Projects = ReadonlyMap<string, ProjectNode>;

export const NO_PROJECTS: Projects = new Map();

/** The projects after a notification, in order of arrival. */
export function applyTree(before: Projects, { projects, removed }: EndpointTree): Projects {
  const now = new Map([...before].filter(([id]) => !removed.includes(id)));
  for (const { endpoints, order, ...project } of projects) {
    const known = new Map<string, EndpointNode>(
      [...(before.get(project.id)?.endpoints ?? []), ...endpoints].map((one) => [one.id, one]),
    );
    const ids = order ?? before.get(project.id)?.endpoints.map(({ id }) => id) ?? [];
    now.set(project.id, { ...project, endpoints: ids.map((id) => known.get(id)!) });
  }
  return now;
}
