/** A project → its part of the endpoint tree, and the current places of its nodes. */
import type { Diagnostic } from '../../runtime/contract/diagnostic.ts';
import type {
  EndpointNode,
  EndpointProblem,
  FunctionNode,
  NodesIn,
  Place,
  ProjectNode,
  RouteNode,
} from '../../runtime/contract/editorMessages.ts';
import type { DeployedEndpoint, Endpoint } from '../../runtime/contract/endpoint.ts';
import type { ToolkitError } from '../../runtime/contract/errors.ts';
import { DEFAULTS } from '../../runtime/contract/limits.ts';
import { BASE_IMAGES, PROJECT_FILES } from '../../runtime/contract/names.ts';
import type { FileFacts } from '../../runtime/source/binder/FileFacts.ts';
import { type Declaration, effectiveName } from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument, servedFunction } from '../../runtime/source/declarations/endpointDocument.ts';
import { qualifiedName } from '../../runtime/source/declarations/publicMethods.ts';
import { maxWorkers, quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import { placeKey } from '../../runtime/source/references/statementsAt.ts';
import { includes } from '../../runtime/source/references/targetAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { byPlace } from '../../runtime/source/snapshot/Snapshot.ts';
import type { Steps } from '../../runtime/source/steps.ts';
import { configDiagnostic } from '../publish/configDiagnostic.ts';
import {
  allNodes,
  type EndpointSkeleton,
  endpointNodes,
  type Node,
  placeOf,
  type Statements,
  statementsOf,
} from './endpointNodes.ts';

/** What the tree has in addition to the project itself. */
export interface TreeContext {
  /** Findings of the project by file; of a file that says the same as before the same list. */
  findings: ReadonlyMap<string, readonly Diagnostic[]>;
  /** What makes pyproject.toml impossible to understand; null for nothing. */
  configFault: ToolkitError | null;
  /** See `ProjectNode`. */
  id: string;
  /** URI of the project's root. */
  root: string;
  /** URI of its workspace folder; null for a file outside of every folder. */
  folder: string | null;
  uriOf(file: string): string;
  /** By endpoint name. */
  deployed: Readonly<Record<string, DeployedEndpoint>>;
}

/** Of files whose facts are the same objects as when they were found. */
const known = new WeakMap<FileFacts, Statements>();

/** Builds a project's part of the tree; each step parses one file at most. */
export function* projectNode(project: ProjectView, context: TreeContext): Steps<ProjectNode> {
  const { index, config } = project;
  const skeletons = endpointNodes(index);
  const nodes = skeletons.flatMap((skeleton) => [skeleton, ...skeleton.functions]);
  const byFile = new Map<string, Statements>();
  for (const [file, here] of Map.groupBy(nodes, (node) => node.file)) {
    const facts = index.names.factsOf(file);
    let statements = facts ? known.get(facts) : undefined;
    // What a file's functions serve may follow from other files.
    if (!statements || here.some(({ start }) => !statements!.has(placeKey(start)))) {
      statements = statementsOf(project, file, here);
      if (facts) known.set(facts, statements);
    }
    byFile.set(file, statements);
    yield;
  }
  const shares = ownShares(index.declarations);
  const taken = new Set<Diagnostic>();
  const endpoints: EndpointNode[] = [];
  for (const skeleton of skeletons) {
    const files = new Set([skeleton.file, ...skeleton.functions.map(({ file }) => file)]);
    const name = effectiveName(skeleton.declaration);
    const deployed = name !== null && Object.hasOwn(context.deployed, name) ? context.deployed[name]! : null;
    const share = shares.get(skeleton.declaration) ?? 0;
    const inputs: unknown[] = [skeleton.id, context.id, deployed, share];
    for (const file of files)
      inputs.push(
        byFile.get(file),
        context.findings.get(file),
        index.names.factsOf(file),
        context.uriOf(file),
      );
    const kept = built.get(skeleton.declaration);
    const isSame = kept && kept.inputs.every((input, at) => input === inputs[at]);
    const made = isSame
      ? kept
      : { inputs, ...build(skeleton, { project, context, byFile, deployed, share }) };
    built.set(skeleton.declaration, made);
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
    quota: { used: quotaShares(index.declarations).sum, limit: config.quota },
    endpoints,
    problems: [...free.map((found) => problemOf(found, context)), ...configProblem(context)],
  };
}

/** A node, and the findings that it has. */
interface Built {
  node: EndpointNode;
  own: readonly Diagnostic[];
}

/** By declaration, with all that the node was made from. */
const built = new WeakMap<Declaration, Built & { inputs: unknown[] }>();

function build(
  skeleton: EndpointSkeleton,
  {
    project,
    context,
    byFile,
    deployed,
    share,
  }: {
    project: ProjectView;
    context: TreeContext;
    byFile: ReadonlyMap<string, Statements>;
    deployed: DeployedEndpoint | null;
    share: number;
  },
): Built {
  const locatedAt = (node: Node): Place => ({
    uri: context.uriOf(node.file),
    ...placeOf(node, byFile.get(node.file)!),
  });
  const places = [skeleton, ...skeleton.functions].map((node) => ({ file: node.file, ...locatedAt(node) }));
  const own = places.flatMap(({ file, range }) =>
    (context.findings.get(file) ?? []).filter((found) => includes(range, found.range.start)),
  );
  const found = [...new Set(own)].sort(byPlace);
  const node = {
    ...endpointNode(skeleton, project, locatedAt, deployed),
    problems: found.map((one) => problemOf(one, context)),
    quotaShare: share,
  };
  return { node, own: found };
}

/** The current place of a node; null when there is none of this id. */
export function locate(project: ProjectView, id: string, uriOf: (file: string) => string): Place | null {
  const node = allNodes(project.index).find((one) => one.id === id);
  return node ? { uri: uriOf(node.file), ...placeOf(node, statementsOf(project, node.file, [node])) } : null;
}

/** The nodes of a file, with their current ranges. */
export function nodesIn(project: ProjectView, file: string): NodesIn['nodes'] {
  const nodes = allNodes(project.index).filter((node) => node.file === file);
  const statements = statementsOf(project, file, nodes);
  return nodes.map((node) => ({ id: node.id, ...placeOf(node, statements) }));
}

function endpointNode(
  skeleton: EndpointSkeleton,
  { index }: ProjectView,
  locatedAt: (node: Node) => Place,
  deployed: DeployedEndpoint | null,
): Omit<EndpointNode, 'problems' | 'quotaShare'> {
  const { declaration, id } = skeleton;
  const { factsOf } = index.names;
  return {
    id,
    name: effectiveName(declaration),
    kind: declaration.kind,
    endpoint: { ...effective(endpointDocument(declaration, factsOf), declaration), deployed },
    deployed,
    ...locatedAt(skeleton),
    functions: skeleton.functions.map((node): FunctionNode => {
      const { definition, file } = node.served;
      const { name, async, description } = servedFunction(node.served, factsOf).definition;
      return {
        id: node.id,
        name,
        class: definition.kind === 'class' ? qualifiedName(definition, factsOf(file)) : null,
        async,
        description: description ?? definition.description,
        ...locatedAt(node),
      };
    }),
    routes: skeleton.routes.map((node): RouteNode => {
      const { name, description } = node.served.definition;
      const { method, path } = node.route;
      return { id: node.id, method, path, function: name, description, ...locatedAt(node) };
    }),
  };
}

/** What the document leaves open where nothing is given. */
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

/** Of declarations of one name the first with the most workers counts, the others not at all. */
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

function problemOf(
  { code, severity, message, file, range }: Diagnostic,
  { uriOf }: TreeContext,
): EndpointProblem {
  return { code, severity, message, uri: uriOf(file), range };
}

function configProblem({ configFault, uriOf }: TreeContext): EndpointProblem[] {
  if (!configFault) return [];
  const { message, range } = configDiagnostic(configFault);
  const uri = uriOf(PROJECT_FILES.pyproject);
  return [{ code: configFault.code, severity: 'error', message, uri, range }];
}
