/** Sets the context keys that `when` clauses of commands, menus and welcome views use. */
import * as vscode from 'vscode';
import type { Deployments } from './deployed/Deployments.ts';
import type { ProjectTree } from './projects/ProjectTree.ts';

export function setContexts(projects: ProjectTree, deployments: Deployments): vscode.Disposable {
  const set = new Map<string, unknown>();
  const update = (): void => {
    const known = projects.all.map(({ root }) => deployments.of(root));
    const contexts: Record<string, unknown> = {
      'toolkit.hasProject':
        projects.roots.length > 0 || known.some(({ deployed }) => (deployed?.endpoints.length ?? 0) > 0),
      'toolkit.needsKey': known.some(({ error }) => error?.code.startsWith('KEY_')),
    };
    for (const [name, value] of Object.entries(contexts)) {
      if (set.get(name) === value) continue;
      set.set(name, value);
      void vscode.commands.executeCommand('setContext', name, value);
    }
  };
  update();
  return vscode.Disposable.from(projects.onDidChange(update), deployments.onDidChange(update));
}
