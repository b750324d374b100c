/** Lets the user choose an environment of the app or enter a new name, for Select Environment and Deploy to…. */
import * as vscode from 'vscode';
import type { ProjectNode } from '../../runtime/contract/editorMessages.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import { isValidName, NAME_RULE } from '../../runtime/contract/names.ts';
import type { Services } from '../Services.ts';

/** @returns Undefined if none was chosen. */
export async function chooseEnvironment(
  services: Services,
  project: ProjectNode,
  title: string,
): Promise<string | undefined> {
  const { l10n } = vscode;
  const current = services.deployments.of(project.root).deployed?.environment ?? null;
  const known = await environmentsOf(services, project);
  const names = [...new Set([...(current ? [current] : []), ...known.keys(), DEFAULTS.environment])];
  const create = { label: `$(add) ${l10n.t('Another environment…')}`, name: null };
  const items = names.map((name) => ({
    label: name === current ? `$(check) ${name}` : name,
    description: known.has(name) ? l10n.t('{0} endpoints', known.get(name)!) : l10n.t('nothing deployed yet'),
    name,
  }));
  const chosen = await vscode.window.showQuickPick([...items, create], { title });
  if (chosen === undefined) return undefined;
  if (chosen.name !== null) return chosen.name;
  return vscode.window.showInputBox({
    title,
    prompt: l10n.t('Name of the environment, such as staging'),
    validateInput: (name) => (isValidName(name) ? null : l10n.t('A name must be {0}.', NAME_RULE)),
  });
}

/** Name → number of endpoints. Empty if no platform runs or responds: a name can still be typed. */
async function environmentsOf(
  { core, deployments }: Services,
  project: ProjectNode,
): Promise<Map<string, number>> {
  const deployed = deployments.of(project.root).deployed;
  if (!deployed?.platform) return new Map();
  const options = { project: vscode.Uri.parse(project.root).fsPath, app: deployed.app };
  const all = await core.call('env list', options).catch(() => []);
  return new Map(all.map(({ name, endpoints }) => [name, endpoints.length]));
}
