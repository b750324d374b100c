/** A project → its part of the endpoint tree, and the current ranges of its nodes. */
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import type {
  EndpointNode,
  EndpointProblem,
  FunctionNode,
  NodeLocation,
  NodesIn,
  ProjectNode,
  RouteNode,
} from '../../runtime/contract/editorMessages.ts';
import type { DeployedEndpoint, Endpoint } from '../../runtime/contract/endpoint.ts';
import type { ToolkitError } from '../../runtime/contract/errors.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import { BASE_IMAGES, PROJECT_FILES } from '../../runtime/contract/names.ts';
import type { FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import { type Declaration, effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument, functionOf } from '../../runtime/source/declarations/endpointDocument.ts';
import type { ProjectIndex } from '../../runtime/source/declarations/ProjectIndex.ts';
import { maxWorkers, quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { byPlace } from '../../runtime/source/snapshot/Snapshot.ts';
import type { Steps } from '../../runtime/source/steps.ts';
import { includes, placeKey } from '../../runtime/source/syntax/range.ts';
import { configDiagnostic } from '../publish/toProtocol.ts';
import { workersOfAll } from './declared.ts';
import {
  currentPlaceOf,
  type EndpointSkeleton,
  endpointNodes,
  type Node,
  nodesById,
  placeOf,
  type Statements,
  statementsOf,
} from './endpointNodes.ts';

/** What the tree depends on in addition to the project. */
export interface TreeContext {
  /** Findings of the project by file. The list of a file stays the same object while its findings are equal. */
  findings: ReadonlyMap<string, readonly Diagnostic[]>;
  /** The fault that makes pyproject.toml invalid; null if it is valid. */
  configFault: ToolkitError | null;
  /** See `ProjectNode`. */
  id: string;
  /** URI of the project's root. */
  root: string;
  /** URI of its workspace folder; null for a file outside every folder. */
  folder: string | null;
  uriOf(file: string): string;
  /** By endpoint name. */
  deployed: Readonly<Record<string, DeployedEndpoint>>;
}

/** What nodes depend on in a file. The same object is reused while all of it is equal. */
interface NodeSource {
  uri: string;
  findings: readonly Diagnostic[];
  statements: Statements;
}

interface Built {
  /** Everything the node was built from, in addition to its declaration. */
  inputs: readonly unknown[];
  node: EndpointNode;
  /** The findings of the node. */
  own: readonly Diagnostic[];
}

const NOTHING: readonly Diagnostic[] = [];
const knownSources = new WeakMap<FileFacts, NodeSource>();
const built = new WeakMap<Declaration, Built>();

/** Builds a project's part of the tree. Each step parses at most one file. */
export function* projectNode(project: ProjectView, context: TreeContext): Steps<ProjectNode> {
  const { index, config } = project;
  const skeletons = endpointNodes(index);
  const sources = new Map<string, NodeSource>();
  const nodes = skeletons.flatMap((skeleton) => [skeleton, ...skeleton.functions]);
  for (const [file, here] of Map.groupBy(nodes, (node) => node.file)) {
    sources.set(file, sourceOf(project, file, here, context));
    yield;
  }
  const shares = ownShares(index.declarations);
  const taken = new Set<Diagnostic>();
  const endpoints: EndpointNode[] = [];
  for (const skeleton of skeletons) {
    const { id, declaration } = skeleton;
    const name = effectiveName(declaration);
    const files = new Set([skeleton, ...skeleton.functions].map(({ file }) => file));
    const deployed = name !== null && Object.hasOwn(context.deployed, name) ? context.deployed[name]! : null;
    const quotaShare = shares.get(declaration) ?? 0;
    const inputs = [id, deployed, quotaShare, ...[...files].map((file) => sources.get(file))];
    const known = built.get(declaration);
    const isSame = known?.inputs.every((input, at) => input === inputs[at]);
    const made = isSame ? known! : { inputs, ...build(skeleton, { deployed, quotaShare }, sources, index) };
    built.set(declaration, made);
    for (const found of made.own) taken.add(found);
    endpoints.push(made.node);
    yield;
  }
  const free = [...context.findings.values()].flat().filter((found) => !taken.has(found));
  return {
    id: context.id,
    root: context.root,
    folder: context.folder,
    app: config.app,
    quota: { used: workersOfAll(index), limit: config.quota },
    endpoints,
    problems: [
      ...free.map((found) => problemOf(found, context.uriOf(found.file))),
      ...configProblem(context),
    ],
  };
}

function sourceOf(
  project: ProjectView,
  file: string,
  nodes: readonly Node[],
  context: TreeContext,
): NodeSource {
  const facts = file === PROJECT_FILES.pyproject ? null : project.index.names.factsOf(file);
  const known = facts && knownSources.get(facts);
  const uri = context.uriOf(file);
  const findings = context.findings.get(file) ?? NOTHING;
  // Other files can determine which functions of this one are served.
  const isComplete = known && nodes.every(({ start }) => known.statements.has(placeKey(start)));
  if (isComplete && known.uri === uri && known.findings === findings) return known;
  const statements = isComplete ? known.statements : statementsOf(project, file, nodes);
  const source = { uri, findings, statements };
  if (facts) knownSources.set(facts, source);
  return source;
}

function build(
  skeleton: EndpointSkeleton,
  given: Pick<EndpointNode, 'deployed' | 'quotaShare'>,
  sources: ReadonlyMap<string, NodeSource>,
  { names }: ProjectIndex,
): Omit<Built, 'inputs'> {
  const { id, declaration } = skeleton;
  const placeIn = (node: Node): NodeLocation => {
    const { uri, statements } = sources.get(node.file)!;
    return { uri, ...placeOf(node, statements) };
  };
  const found = [skeleton, ...skeleton.functions].flatMap((node) => {
    const { range } = placeIn(node);
    return sources.get(node.file)!.findings.filter((one) => includes(range, one.range.start));
  });
  const own = [...new Set(found)].sort(byPlace);
  const document = endpointDocument(declaration, names);
  const node: EndpointNode = {
    id,
    name: effectiveName(declaration),
    kind: declaration.kind,
    endpoint: { ...effective(document, declaration), deployed: given.deployed },
    ...placeIn(skeleton),
    functions: skeleton.functions.map((child): FunctionNode => {
      const { name, class: ofClass, async, description } = functionOf(child.served, names);
      return { id: child.id, name, class: ofClass, async, description, ...placeIn(child) };
    }),
    routes: skeleton.routes.map((child): RouteNode => {
      const { name, description } = child.served.definition;
      const { method, path } = child.route;
      return { id: child.id, method, path, function: name, description, ...placeIn(child) };
    }),
    problems: own.map((one) => problemOf(one, sources.get(one.file)!.uri)),
    ...given,
  };
  return { node, own };
}

/** The current range of a node; null if there is no node with this id. */
export function locate(
  project: ProjectView,
  id: string,
  uriOf: (file: string) => string,
): NodeLocation | null {
  const node = nodesById(project.index).get(id);
  return node ? { uri: uriOf(node.file), ...currentPlaceOf(project, node) } : null;
}

/** The nodes of a file, with their current ranges. */
export function nodesIn(project: ProjectView, file: string): NodesIn['nodes'] {
  const nodes = [...nodesById(project.index).values()].filter((node) => node.file === file);
  const statements = statementsOf(project, file, nodes);
  return nodes.map((node) => ({ id: node.id, ...placeOf(node, statements) }));
}

/** The document, with defaults for the arguments that are not given. */
function effective(document: Endpoint, declaration: Declaration): Endpoint {
  const { hardware } = document;
  const isGpu = hardware !== null && 'gpu' in hardware;
  const presets = {
    image: hardware && BASE_IMAGES[isGpu ? 'gpu' : 'cpu'],
    gpuCount: isGpu ? DEFAULTS.gpuCount : null,
    executionTimeout: DEFAULTS.executionTimeoutSeconds,
    maxConcurrency: DEFAULTS.maxConcurrency,
  };
  const open = Object.entries(presets).filter(
    ([field]) => declaration[field as keyof typeof presets].state === 'absent',
  );
  return { ...document, ...Object.fromEntries(open) };
}

/**
 * The share of each declaration in the quota. Of several with the same name, only the first with the most workers
 * counts.
 */
function ownShares(declarations: readonly Declaration[]): Map<Declaration, number> {
  const left = new Map(quotaShares(declarations).byName);
  const shares = new Map<Declaration, number>();
  for (const [place, declaration] of declarations.entries()) {
    const name = effectiveName(declaration) ?? `#${place}`;
    const max = maxWorkers(declaration);
    if (left.get(name) !== max) continue;
    shares.set(declaration, max);
    left.delete(name);
  }
  return shares;
}

function problemOf({ code, severity, message, range }: Diagnostic, uri: string): EndpointProblem {
  return { code, severity, message, uri, range };
}

function configProblem({ configFault, uriOf }: TreeContext): EndpointProblem[] {
  if (!configFault) return [];
  const { message, range } = configDiagnostic(configFault);
  const uri = uriOf(PROJECT_FILES.pyproject);
  return [{ code: configFault.code, severity: 'error', message, uri, range }];
}
