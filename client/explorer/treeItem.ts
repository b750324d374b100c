/** An entry of the explorer → its tree item. */
import * as vscode from 'vscode';
import type { Endpoint } from '../../runtime/contract/endpoint.ts';
import { plain } from '../messages/plain.ts';
import { changesOf, type EndpointState } from './endpointState.ts';
import {
  type EndpointEntry,
  type Entry,
  type FolderEntry,
  idOf,
  type ProjectEntry,
  type RouteEntry,
  type UndeclaredEntry,
} from './nodes.ts';
import { stateUri } from './StateDecorations.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export function treeItem(entry: Entry): vscode.TreeItem {
  const item = draw(entry);
  item.id = idOf(entry);
  return item;
}

function draw(entry: Entry): vscode.TreeItem {
  switch (entry.type) {
    case 'folder':
      return folderItem(entry);
    case 'project':
      return projectItem(entry);
    case 'endpoint':
      return endpointItem(entry);
    case 'undeclared':
      return undeclaredItem(entry);
    case 'route':
      return routeItem(entry);
  }
}

function folderItem({ folder }: FolderEntry): vscode.TreeItem {
  const uri = vscode.Uri.parse(folder);
  const item = new vscode.TreeItem(vscode.workspace.getWorkspaceFolder(uri)?.name ?? uri.path, Expanded);
  item.iconPath = vscode.ThemeIcon.Folder;
  item.contextValue = 'folder';
  return item;
}

function projectItem({ project, deployment }: ProjectEntry): vscode.TreeItem {
  const { l10n } = vscode;
  const { deployed, error } = deployment;
  const item = new vscode.TreeItem(deployed?.app ?? project.app, Expanded);
  const environment = deployed?.environment ?? '';
  const pending = changeCount(deployment);
  item.description = [
    environment,
    ...(error ? [l10n.t('state unknown')] : []),
    ...(deployment.pending?.state === 'unknown' ? [l10n.t('changes unknown')] : []),
    ...(pending > 0 ? [l10n.t('{0} to deploy', pending)] : []),
  ]
    .filter(Boolean)
    .join(' · ');
  item.iconPath = new vscode.ThemeIcon('package');
  item.contextValue = 'project';
  const lines = [
    `**${plain(item.label as string)}** ${plain(environment)}`,
    l10n.t('{0} of {1} workers declared', project.quota.used, project.quota.limit),
    ...(error ? [`$(warning) ${plain(error.message)}`] : []),
    ...(deployment.pending?.state === 'unknown'
      ? [l10n.t('Undeployed changes are unknown: {0}', plain(deployment.pending.reason))]
      : []),
    ...(deployed?.platform ? [deployed.platform.url] : []),
  ];
  item.tooltip = new vscode.MarkdownString(lines.join('\n\n'), true);
  item.accessibilityInformation = {
    label: l10n.t('App {0}, environment {1}', item.label as string, environment || l10n.t('unknown')),
  };
  return item;
}

function changeCount({ pending }: ProjectEntry['deployment']): number {
  if (pending?.state !== 'known') return 0;
  const { create, update, remove } = pending.plan;
  return create.length + update.length + remove.length;
}

function endpointItem(entry: EndpointEntry): vscode.TreeItem {
  const { l10n } = vscode;
  const { endpoint, remote, state, parent } = entry;
  const name = endpoint.name ?? l10n.t('name known only at run time');
  const item = new vscode.TreeItem(name, endpoint.routes.length > 0 ? Collapsed : None);
  const hardware = hardwareText(endpoint.endpoint);
  const status = stateText(state, remote?.build ?? null);
  item.description = [hardware, status].filter(Boolean).join(' · ');
  item.iconPath = new vscode.ThemeIcon(endpoint.kind === 'queue' ? 'symbol-function' : 'globe');
  item.resourceUri = stateUri(idOf(entry), state, endpoint.problems.length);
  item.contextValue = ['endpoint', endpoint.kind, ...(remote ? ['deployed'] : []), state].join(' ');
  item.command = {
    command: 'toolkit.revealDeclaration',
    title: l10n.t('Reveal Declaration'),
    arguments: [entry],
  };
  const reasons = changesOf(name, parent.deployment.pending);
  const description = endpoint.functions[0]?.description ?? null;
  item.tooltip = new vscode.MarkdownString(
    [
      `**${plain(name)}** ${endpoint.kind === 'queue' ? l10n.t('queue-based') : l10n.t('load-balanced')}`,
      ...(description === null ? [] : [plain(description)]),
      plain(item.description),
      ...(reasons.length > 0 ? [l10n.t('Undeployed changes: {0}', plain(reasons.join(', ')))] : []),
      ...(remote ? [remote.url] : []),
      ...endpoint.problems.map(({ severity, message }) => `$(${severityIcon(severity)}) ${plain(message)}`),
    ].join('\n\n'),
    true,
  );
  item.accessibilityInformation = {
    label: [name, item.description, ...endpoint.problems.map((one) => one.message)].join(', '),
  };
  return item;
}

function undeclaredItem(entry: UndeclaredEntry): vscode.TreeItem {
  const { l10n } = vscode;
  const { remote } = entry;
  const item = new vscode.TreeItem(remote.name, None);
  item.description = l10n.t('deployed, no longer in the source');
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.resourceUri = stateUri(idOf(entry), 'undeclared', 0);
  item.contextValue = 'undeclared deployed';
  item.accessibilityInformation = { label: `${remote.name}, ${item.description}` };
  item.tooltip = l10n.t('{0} still runs, build {1}. The next deploy removes it.', remote.url, remote.build);
  return item;
}

function routeItem(entry: RouteEntry): vscode.TreeItem {
  const { route, parent } = entry;
  const item = new vscode.TreeItem(`${route.method} ${route.path}`, None);
  item.description = route.description ?? '';
  item.iconPath = new vscode.ThemeIcon('arrow-right');
  item.contextValue = ['route', ...(parent.remote ? ['deployed'] : [])].join(' ');
  item.command = {
    command: 'toolkit.revealDeclaration',
    title: vscode.l10n.t('Reveal Declaration'),
    arguments: [entry],
  };
  return item;
}

function stateText(state: EndpointState, build: number | null): string {
  const { l10n } = vscode;
  switch (state) {
    case 'invalid':
      return l10n.t('has errors');
    case 'failing':
      return l10n.t('failing');
    case 'changed':
      return l10n.t('undeployed changes');
    case 'deployed':
      return build === null ? '' : l10n.t('build {0}', build);
    case 'declared':
      return l10n.t('not deployed');
    case 'unknown':
    case 'undeclared':
      return '';
  }
}

function hardwareText({ hardware, dynamic }: Endpoint): string {
  if (hardware !== null) return 'gpu' in hardware ? `GPU ${hardware.gpu}` : hardware.cpu;
  return dynamic.includes('hardware') ? vscode.l10n.t('hardware known only at run time') : '';
}

function severityIcon(severity: 'error' | 'warning' | 'hint'): string {
  return severity === 'hint' ? 'info' : severity;
}
