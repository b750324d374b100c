/** One declaration → what it comes to, in Markdown: the manifest's view of it, with the defaults that are in force. */
import type { Endpoint } from '../../runtime/contract/endpoint.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import { BASE_IMAGE_PACKAGES, BASE_IMAGES } from '../../runtime/contract/names.ts';
import type { Declaration } from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument } from '../../runtime/source/declarations/endpointDocument.ts';
import { maxWorkers } from '../../runtime/source/declarations/quotaShares.ts';
import { requirementName } from '../../runtime/source/environment/distributionName.ts';
import { Declared } from './declared.ts';
import type { PlaceContext } from './feature.ts';
import { describeCpu, describeGpu } from './hardwareText.ts';
import { code, escaped } from './markup.ts';
import { deployedOf, localPath, remoteUrl } from './urls.ts';

/** Routes that are listed; of more, the number is told. */
const MAX_ROUTES = 8;

const PROVIDED: ReadonlySet<string> = new Set(BASE_IMAGE_PACKAGES);
const DYNAMIC = '*known when the code runs*';
/** An empty name is told by the finding too. */
const NAMELESS = {
  absent: '*no name*',
  dynamic: '*name known when the code runs*',
  invalid: '*no valid name*',
  known: '*no name*',
} as const;
const BY_DEFAULT = ' *(default)*';

/** The whole view of an endpoint. */
export function endpointText(context: PlaceContext, declaration: Declaration): string {
  const endpoint = endpointDocument(declaration, context.project.index.names.factsOf);
  const title = endpoint.name ? `**${code(endpoint.name)}**` : NAMELESS[declaration.name.state];
  const kind = endpoint.kind === 'queue' ? 'queue-based endpoint' : 'load-balanced endpoint';
  const namedAfter = declaration.name.state === 'absent' ? declaration.served[0]?.definition.kind : undefined;
  const description = endpoint.kind === 'queue' ? endpoint.functions[0]?.description : null;
  const lines = settings(context, declaration, endpoint);
  const routes = routeLines(declaration, endpoint);
  return [
    `${title} · ${kind}${namedAfter ? `, named after its ${namedAfter}` : ''}`,
    ...(description ? [escaped(description)] : []),
    lines.map(([label, text]) => `- ${label}: ${text}`).join('\n'),
    ...(routes.length > 0 ? [routes.join('\n')] : []),
  ].join('\n\n');
}

/** `GPU ADA_24 (NVIDIA GeForce RTX 4090 · 24 GB)`. */
export function hardwareLine(declaration: Declaration, { hardware, gpuCount, dynamic }: Endpoint): string {
  if (hardware === null) return dynamic.includes('hardware') ? DYNAMIC : '*see the finding*';
  if ('cpu' in hardware) return `${code(hardware.cpu)} ${bracketed(describeCpu(hardware.cpu))}`.trim();
  const isDefault = declaration.gpu.state === 'absent' && declaration.cpu.state === 'absent';
  const count = gpuCount !== null && gpuCount > 1 ? `${gpuCount} × ` : '';
  return (
    `${count}GPU ${code(hardware.gpu)} ${bracketed(describeGpu(hardware.gpu))}`.trim() +
    (isDefault ? BY_DEFAULT : '')
  );
}

/** `0–3 · 3 of 30 workers, 12 taken by all endpoints`. */
export function workersLine(
  { project }: PlaceContext,
  declaration: Declaration,
  { workers }: Endpoint,
): string {
  if (workers === null) return declaration.workers.state === 'dynamic' ? DYNAMIC : '*see the finding*';
  const { quota } = project.config;
  const { sum } = Declared.of(project.index).quota;
  const isDefault = declaration.workers.state === 'absent';
  const share = `${maxWorkers(declaration)} of ${quota} workers, ${sum} taken by all endpoints`;
  return `${workers.min}–${workers.max}${isDefault ? BY_DEFAULT : ''} · ${share}`;
}

/** Names, and which of them the base image has. */
export function dependenciesLine(dependencies: readonly string[]): string {
  return dependencies
    .map((text) => {
      const isProvided = PROVIDED.has(requirementName(text) ?? '');
      return `${code(text)}${isProvided ? ' *(in the base image)*' : ''}`;
    })
    .join(', ');
}

/** Names alone: values may be secrets. */
export function environmentLine({ env, envFrom }: Endpoint): string {
  return Object.keys(env ?? {})
    .map((name) => `${code(name)}${Object.hasOwn(envFrom, name) ? ' *(filled in at deploy)*' : ''}`)
    .join(', ');
}

/** Where something answers, in dev and deployed. */
export function addressLines(
  context: PlaceContext,
  declaration: Declaration,
  route: Parameters<typeof localPath>[2],
): [label: string, text: string][] {
  const { client } = context;
  const local = localPath(context, declaration, route);
  const deployed = deployedOf(client, declaration);
  const lines: [string, string][] = [];
  const method = route?.method ?? 'POST';
  if (local !== null)
    lines.push(['in dev', code(`${method} ${client.dev?.replace(/\/$/, '') ?? ''}${local}`)]);
  if (deployed) {
    const url = remoteUrl(deployed, declaration.kind, route)!;
    const where = client.environment === null ? '' : ` in ${escaped(client.environment)}`;
    lines.push([
      'deployed',
      `${code(`${route || declaration.kind === 'queue' ? `${method} ` : ''}${url}`)} · build ${deployed.build}${where}`,
    ]);
  } else if (route) {
    lines.push(['deployed', `${code(`${method} ${route.path}`)} at the endpoint's own address`]);
  }
  return lines;
}

function settings(
  context: PlaceContext,
  declaration: Declaration,
  endpoint: Endpoint,
): [label: string, text: string][] {
  const lines: [string, string][] = [
    ['hardware', hardwareLine(declaration, endpoint)],
    ['workers', workersLine(context, declaration, endpoint)],
    ['idle timeout', seconds(endpoint.idleTimeout, declaration.idleTimeout.state)],
  ];
  const add = (label: string, text: string) => {
    if (text !== '') lines.push([label, text]);
  };
  add('image', imageLine(declaration, endpoint));
  add('execution timeout', endpoint.executionTimeout === null ? '' : `${endpoint.executionTimeout} s`);
  add('jobs at once', endpoint.maxConcurrency === null ? '' : String(endpoint.maxConcurrency));
  add('env', endpoint.env === null ? DYNAMIC : environmentLine(endpoint));
  add('dependencies', endpoint.dependencies === null ? DYNAMIC : dependenciesLine(endpoint.dependencies));
  add('command', endpoint.command === null ? '' : code(endpoint.command.join(' ')));
  for (const [label, text] of addressLines(context, declaration, null)) add(label, text);
  return lines;
}

function imageLine({ image }: Declaration, endpoint: Endpoint): string {
  if (image.state === 'dynamic') return DYNAMIC;
  if (endpoint.image !== null) return code(endpoint.image);
  if (endpoint.hardware === null) return '';
  return `${code('gpu' in endpoint.hardware ? BASE_IMAGES.gpu : BASE_IMAGES.cpu)}${BY_DEFAULT}`;
}

function routeLines(declaration: Declaration, { kind, routes }: Endpoint): string[] {
  if (kind === 'queue' || declaration.form === 'table') return [];
  const shown = routes.slice(0, MAX_ROUTES).map(({ method, path, description }) => {
    const told = description === null ? '' : ` ${escaped(description)}`;
    return `- ${code(`${method} ${path}`)}${told}`;
  });
  const more = routes.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}

function seconds(value: number | null, state: string): string {
  if (value === null) return state === 'dynamic' ? DYNAMIC : '*see the finding*';
  return `${value} s${state === 'absent' && value === DEFAULTS.idleTimeoutSeconds ? BY_DEFAULT : ''}`;
}

function bracketed(text: string | null): string {
  return text === null ? '' : `(${text})`;
}
