/** A project → its part of the endpoint tree, the current places of its nodes, and whether two trees say the same. */
import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic, Position } from '../../runtime/contract/diagnostic.ts';
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
import { endpointDocument } from '../../runtime/source/declarations/endpointDocument.ts';
import { publicMethods, qualifiedName } from '../../runtime/source/declarations/publicMethods.ts';
import { maxWorkers, quotaShares } from '../../runtime/source/declarations/quotaShares.ts';
import { type NamedStatement, placeKey, statementsAt } from '../../runtime/source/references/statementsAt.ts';
import { includes } from '../../runtime/source/references/targetAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import type { Steps } from '../../runtime/source/steps.ts';
import { configDiagnostic } from '../publish/configDiagnostic.ts';
import {
  allNodes,
  type EndpointSkeleton,
  endpointNodes,
  fallbackStatement,
  type Node,
} from './endpointNodes.ts';

/** What the tree tells beside the project itself. */
export interface TreeContext {
  /** All findings of the project. */
  diagnostics: readonly Diagnostic[];
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

/** Statements by `placeKey`. */
type Statements = ReadonlyMap<string, NamedStatement>;

/** Of files whose facts are the same objects as when they were found. */
const known = new WeakMap<FileFacts, Statements>();

/** Builds a project's part of the tree; each step parses one file at most. */
export function* projectNode(project: ProjectView, context: TreeContext): Steps<ProjectNode> {
  const { index, config } = project;
  const skeletons = endpointNodes(index);
  const places = placesByFile(skeletons);
  const byFile = new Map<string, Statements>();
  for (const [file, starts] of places) {
    const facts = index.names.factsOf(file);
    let statements = facts ? known.get(facts) : undefined;
    // What a file's functions serve may follow from other files.
    if (!statements || starts.some((start) => !statements!.has(placeKey(start)))) {
      statements = findStatements(project, file, starts);
      if (facts) known.set(facts, statements);
    }
    byFile.set(file, statements);
    yield;
  }
  const placeOf: PlaceOf = ({ file, start }, fallback) => ({
    uri: context.uriOf(file),
    ...(byFile.get(file)?.get(placeKey(start)) ?? fallback),
  });
  const shares = ownShares(index.declarations);
  const problems = context.diagnostics.map((found) => problemOf(found, context));
  const free = new Set(problems);
  const endpoints = skeletons.map((skeleton): EndpointNode => {
    const node = endpointNode(skeleton, project, placeOf);
    const ranges = [node, ...node.functions, ...node.routes];
    const own = problems.filter(({ uri, range }) =>
      ranges.some((place) => place.uri === uri && includes(place.range, range.start)),
    );
    for (const found of own) free.delete(found);
    const deployed = (node.name !== null && context.deployed[node.name]) || null;
    return {
      ...node,
      endpoint: { ...node.endpoint, deployed },
      problems: own,
      quotaShare: shares.get(skeleton.declaration) ?? 0,
      deployed,
    };
  });
  return {
    id: context.id,
    root: context.root,
    folder: context.folder,
    app: config.app,
    quota: { used: quotaShares(index.declarations).sum, limit: config.quota },
    endpoints,
    problems: [...free, ...configProblem(context)],
  };
}

/** The current place of a node; null when there is none of this id. */
export function locate(project: ProjectView, id: string, uriOf: (file: string) => string): Place | null {
  const node = allNodes(project.index).find((one) => one.id === id);
  return node ? { uri: uriOf(node.file), ...placesIn(project, node.file, [node])[0]! } : null;
}

/** The nodes of a file, with their current ranges. */
export function nodesIn(project: ProjectView, file: string): NodesIn['nodes'] {
  const nodes = allNodes(project.index).filter((node) => node.file === file);
  const places = placesIn(project, file, nodes);
  return nodes.map(({ id }, at) => ({ id, ...places[at]! }));
}

function placesIn(project: ProjectView, file: string, nodes: readonly Node[]): NamedStatement[] {
  const starts = nodes.map(({ start }) => start);
  const statements = findStatements(project, file, starts);
  return nodes.map(
    ({ start, served, declaration }) =>
      statements.get(placeKey(start)) ?? fallbackStatement(served ?? declaration),
  );
}

/** Whether two trees differ in places alone: no editor needs to be told of that. */
export function isSameTree(a: ProjectNode, b: ProjectNode): boolean {
  return isDeepStrictEqual(withoutPlaces(a), withoutPlaces(b));
}

type PlaceOf = (node: { file: string; start: Position }, fallback: NamedStatement) => Place;

function endpointNode(skeleton: EndpointSkeleton, { index }: ProjectView, placeOf: PlaceOf): EndpointNode {
  const { declaration, id } = skeleton;
  const { factsOf } = index.names;
  return {
    id,
    name: effectiveName(declaration),
    kind: declaration.kind,
    endpoint: effective(endpointDocument(declaration, factsOf), declaration),
    ...placeOf(skeleton, fallbackStatement(declaration)),
    functions: skeleton.functions.map((node): FunctionNode => {
      const { definition, file } = node.served;
      const method = definition.kind === 'class' ? publicMethods(definition, factsOf(file))[0] : undefined;
      const { name, async, description } = method ?? definition;
      return {
        id: node.id,
        name,
        class: definition.kind === 'class' ? qualifiedName(definition, factsOf(file)) : null,
        async,
        description: description ?? definition.description,
        ...placeOf(node, fallbackStatement(node.served)),
      };
    }),
    routes: skeleton.routes.map((node): RouteNode => {
      const { method, definition } = node.route;
      return {
        id: node.id,
        method,
        path: node.path,
        function: definition.name,
        description: definition.description,
        ...placeOf(node, fallbackStatement(node.route)),
      };
    }),
    problems: [],
    quotaShare: 0,
    deployed: null,
  };
}

/** What the document leaves open where nothing is given. */
function effective(document: Endpoint, declaration: Declaration): Endpoint {
  const given = <Value>(field: keyof Declaration, value: Value | null, otherwise: Value | null) => {
    const outcome = declaration[field];
    const isAbsent =
      typeof outcome === 'object' && outcome !== null && 'state' in outcome && outcome.state === 'absent';
    return isAbsent ? otherwise : value;
  };
  const { hardware } = document;
  const isGpu = hardware !== null && 'gpu' in hardware;
  const base = hardware && BASE_IMAGES[isGpu ? 'gpu' : 'cpu'];
  return {
    ...document,
    image: given('image', document.image, base),
    gpuCount: given('gpuCount', document.gpuCount, isGpu ? DEFAULTS.gpuCount : null),
    executionTimeout: given('executionTimeout', document.executionTimeout, DEFAULTS.executionTimeoutSeconds),
    maxConcurrency: given('maxConcurrency', document.maxConcurrency, DEFAULTS.maxConcurrency),
  };
}

function placesByFile(skeletons: readonly EndpointSkeleton[]): Map<string, Position[]> {
  const places = new Map<string, Position[]>();
  for (const skeleton of skeletons) {
    if (skeleton.declaration.form === 'table') continue;
    for (const { file, start } of [skeleton, ...skeleton.functions]) {
      const there = places.get(file);
      if (there) there.push(start);
      else places.set(file, [start]);
    }
  }
  return places;
}

function findStatements(project: ProjectView, file: string, starts: readonly Position[]): Statements {
  if (!file.endsWith('.py')) return new Map();
  return project.withTree(file, (root) => statementsAt(root, starts)) ?? new Map();
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

/** A message may tell places of other files, as `worker.py:12`. */
function withoutPlaces(node: ProjectNode): unknown {
  return JSON.parse(
    JSON.stringify(node, (key, value: unknown) => {
      if (key === 'line' && typeof value === 'number') return undefined;
      if (/^(?:range|selectionRange)$/.test(key) && typeof value === 'object') return undefined;
      return key === 'message' && typeof value === 'string' ? value.replace(/(\.\w+):\d+/g, '$1') : value;
    }),
  );
}
