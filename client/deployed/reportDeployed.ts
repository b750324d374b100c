/** Reports deployments and dev servers to the language server when they change, so that lenses and hovers show them. */
import * as vscode from 'vscode';
import type { DeployedParams } from '../../runtime/contract/editorMessages.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import type { DevServers } from '../dev/DevServers.ts';
import type { LanguageServer } from '../LanguageServer.ts';
import type { ProjectTree } from '../projects/ProjectTree.ts';
import type { Deployments } from './Deployments.ts';

export function reportDeployed(
  server: LanguageServer,
  projects: ProjectTree,
  deployments: Deployments,
  dev: DevServers,
): vscode.Disposable {
  let reported = '';
  const report = async (): Promise<void> => {
    const params: DeployedParams = { projects: projects.roots.map((root) => describe(root)) };
    const text = JSON.stringify(params);
    if (text === reported) return;
    reported = text;
    await server.report(params);
  };

  function describe(root: string): DeployedParams['projects'][number] {
    const { deployed } = deployments.of(root);
    const endpoints = (deployed?.endpoints ?? []).map(({ name, id, url, build }) => [
      name,
      { id, url, build },
    ]);
    return {
      root,
      environment: deployed?.environment ?? DEFAULTS.environment,
      endpoints: Object.fromEntries(endpoints),
      dev: dev.url(vscode.Uri.parse(root).fsPath),
    };
  }

  return vscode.Disposable.from(
    projects.onDidChange(report),
    deployments.onDidChange(report),
    dev.onDidChange(report),
    server.onStarted(() => {
      // A restarted server has lost the last report.
      reported = '';
      return report();
    }),
  );
}
