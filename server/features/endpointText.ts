/** One declaration → its description in Markdown: the endpoint as in the manifest, including defaults. */
import type { Endpoint, Hardware } from '../../runtime/contract/endpoint.ts';
import { BASE_IMAGES, isInBaseImage } from '../../runtime/contract/names.ts';
import {
  type Declaration,
  outcomesOf,
  type TableKey,
} from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument } from '../../runtime/source/declarations/endpointDocument.ts';
import { maxWorkers } from '../../runtime/source/declarations/quotaShares.ts';
import { requirementName } from '../../runtime/source/environment/distributionName.ts';
import { workersOfAll } from './declared.ts';
import type { DocumentContext } from './feature.ts';
import { describeCpu, describeGpu } from './hardwareText.ts';
import { code, escaped } from './markup.ts';
import { deployedOf, localPath, type Route, remoteUrl } from './urls.ts';

/** Maximum number of listed routes; the rest is counted. */
const MAX_ROUTES = 8;

const DYNAMIC = '*known only at run time*';
/** An empty name has a finding of its own. */
const NAMELESS = {
  absent: '*no name*',
  dynamic: '*name known only at run time*',
  invalid: '*no valid name*',
  known: '*no name*',
} as const;
const BY_DEFAULT = ' *(default)*';

/** The arguments to show, with their labels. */
const SHOWN: [key: TableKey, label: string][] = [
  ['gpu', 'hardware'],
  ['workers', 'workers'],
  ['idle_timeout', 'idle timeout'],
  ['image', 'image'],
  ['execution_timeout', 'execution timeout'],
  ['max_concurrency', 'jobs at once'],
  ['env', 'env'],
  ['dependencies', 'dependencies'],
  ['command', 'command'],
];

/** The whole description of an endpoint. */
export function endpointText(context: DocumentContext, declaration: Declaration): string {
  const endpoint = endpointDocument(declaration, context.project.index.names);
  const title = endpoint.name ? `**${code(endpoint.name)}**` : NAMELESS[declaration.name.state];
  const namedAfter = declaration.name.state === 'absent' ? declaration.served[0]?.definition.kind : undefined;
  const description = endpoint.kind === 'queue' ? endpoint.functions[0]?.description : null;
  const values = SHOWN.map(([key, label]) => [label, valueText(context, declaration, key)] as const);
  const lines = [...values, ...addressLines(context, declaration, null)].filter(([, text]) => text !== '');
  const routes = routeLines(declaration, endpoint);
  return [
    `${title} · ${kindText(endpoint)} endpoint${namedAfter ? `, named after its ${namedAfter}` : ''}`,
    ...(description ? [escaped(description)] : []),
    lines.map(([label, text]) => `- ${label}: ${text}`).join('\n'),
    ...(routes.length > 0 ? [routes.join('\n')] : []),
  ].join('\n\n');
}

/** The value of an argument; empty if it is not given and has no default. */
export function valueText(context: DocumentContext, declaration: Declaration, key: TableKey): string {
  const endpoint = endpointDocument(declaration, context.project.index.names);
  const isDevice = key === 'gpu' || key === 'cpu';
  const outcomes = outcomesOf(declaration);
  const states = (isDevice ? (['gpu', 'cpu'] as const) : [key]).map((one) => outcomes[one].state);
  if (states.includes('dynamic')) return DYNAMIC;
  if (states.includes('invalid') || (isDevice && endpoint.hardware === null)) return '*see the finding*';
  const preset = states.every((state) => state === 'absent') ? BY_DEFAULT : '';
  return key === 'workers'
    ? `${endpoint.workers!.min}–${endpoint.workers!.max}${preset} · ${share(context, declaration)}`
    : valueTexts(endpoint, preset)[key];
}

function valueTexts(endpoint: Endpoint, preset: string): Record<Exclude<TableKey, 'workers'>, string> {
  const { name, hardware, image, executionTimeout, command } = endpoint;
  const device = hardware ? `${hardwareLine(endpoint, hardware)}${preset}` : '';
  const baseImage = hardware && `${code(BASE_IMAGES['gpu' in hardware ? 'gpu' : 'cpu'])}${preset}`;
  return {
    name: escaped(name ?? ''),
    gpu: device,
    cpu: device,
    idle_timeout: `${endpoint.idleTimeout} s${preset}`,
    execution_timeout: executionTimeout === null ? '' : `${executionTimeout} s`,
    dependencies: (endpoint.dependencies ?? []).map(requirementLine).join(', '),
    env: environmentLine(endpoint),
    image: image === null ? (baseImage ?? '') : code(image),
    gpu_count: String(endpoint.gpuCount ?? ''),
    max_concurrency: String(endpoint.maxConcurrency ?? ''),
    command: command === null ? '' : code(command.join(' ')),
    kind: kindText(endpoint),
  };
}

function kindText({ kind }: Endpoint): string {
  return kind === 'queue' ? 'queue-based' : kind;
}

/** `GPU ADA_24 (NVIDIA GeForce RTX 4090 · 24 GB)`. */
function hardwareLine({ gpuCount }: Endpoint, device: Hardware): string {
  const count = gpuCount !== null && gpuCount > 1 ? `${gpuCount} × ` : '';
  const [text, meaning] =
    'cpu' in device
      ? [code(device.cpu), describeCpu(device.cpu)]
      : [`${count}GPU ${code(device.gpu)}`, describeGpu(device.gpu)];
  return meaning === null ? text : `${text} (${meaning})`;
}

/** `3 of 30 workers, 12 taken by all endpoints`. */
function share({ project }: DocumentContext, declaration: Declaration): string {
  const sum = workersOfAll(project.index);
  return `${maxWorkers(declaration)} of ${project.config.quota} workers, ${sum} taken by all endpoints`;
}

/** A requirement, and whether the base image has it. */
function requirementLine(text: string): string {
  const isProvided = isInBaseImage(requirementName(text) ?? '');
  return `${code(text)}${isProvided ? ' *(in the base image)*' : ''}`;
}

/** Only the names: values can be secrets. */
function environmentLine({ env, envFrom }: Endpoint): string {
  return Object.keys(env ?? {})
    .map((name) => `${code(name)}${Object.hasOwn(envFrom, name) ? ' *(filled in when you deploy)*' : ''}`)
    .join(', ');
}

/** The addresses of an endpoint or route, in dev and deployed. */
export function addressLines(
  context: DocumentContext,
  declaration: Declaration,
  route: Route,
): [label: string, text: string][] {
  const { dev, environment } = context.client;
  const method = route?.method ?? 'POST';
  const path = localPath(context, declaration, route);
  const lines: [string, string][] = [];
  if (path !== null) lines.push(['in dev', code(`${method} ${dev ?? ''}${path}`)]);
  const deployed = deployedOf(context.client, declaration);
  if (deployed) {
    const called = route || declaration.kind === 'queue' ? `${method} ` : '';
    const where = environment === null ? '' : ` in ${escaped(environment)}`;
    const url = remoteUrl(context, declaration, route);
    lines.push(['deployed', `${code(`${called}${url}`)} · build ${deployed.build}${where}`]);
  } else if (route) {
    lines.push(['deployed', `${code(`${method} ${route.path}`)} at the endpoint's own address`]);
  }
  return lines;
}

function routeLines(declaration: Declaration, { kind, routes }: Endpoint): string[] {
  if (kind === 'queue' || declaration.form === 'table') return [];
  const shown = routes.slice(0, MAX_ROUTES).map(({ method, path, description }) => {
    const text = description === null ? '' : ` ${escaped(description)}`;
    return `- ${code(`${method} ${path}`)}${text}`;
  });
  const more = routes.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}
