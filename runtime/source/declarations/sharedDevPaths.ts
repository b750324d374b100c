/** Declarations → paths of the dev server that several files share, so that dev serves none of them there. */
import type { Range } from '../../contract/diagnostic.ts';
import { type Declaration, effectiveName, nameRange } from './Declaration.ts';
import { filePrefix, queuePrefix, shapeOf } from './devPath.ts';
import { pathRange } from './pathRange.ts';

/** A function, route or command that can be called, and where dev serves it. */
interface Site {
  file: string;
  range: Range;
  /** The beginning of its path: the part for its file, or the name of a command's endpoint. */
  prefix: string;
  method: string;
  path: string;
  /** Whether this is a command that handles HTTP itself, which owns all paths below its own. */
  isCommand: boolean;
}

/** A site, and the sites in other files that have the same path. */
export interface SharedDevPath {
  range: Range;
  method: string;
  path: string;
  others: { file: string; range: Range }[];
}

/** Shared paths by file. */
export function sharedDevPaths(declarations: readonly Declaration[]): Map<string, SharedDevPath[]> {
  const counted = declarations.filter(({ alternative }) => !alternative);
  const near = prefixesThatMeet(counted);
  const shared = new Map<string, SharedDevPath[]>();
  if (near.size === 0) return shared;
  const queues = Map.groupBy(
    counted.filter(({ kind }) => kind === 'queue'),
    ({ file }) => file,
  );
  const isAlone = (file: string) => queues.get(file)!.length === 1;
  const sites = counted.flatMap((one) => sitesOf(one, isAlone)).filter(({ prefix }) => near.has(prefix));
  const samePath = Map.groupBy(sites, keyOf);
  const commands = sites.filter(({ isCommand }) => isCommand);
  for (const site of sites) {
    const { file, range, method, path } = site;
    const below = site.isCommand ? sites.filter((other) => isBelow(other, site)) : [];
    const above = commands.filter((command) => isBelow(site, command));
    const others = [...samePath.get(keyOf(site))!, ...below, ...above].filter((other) => other.file !== file);
    if (others.length === 0) continue;
    const ofFile = shared.get(file) ?? [];
    shared.set(file, ofFile);
    ofFile.push({
      range,
      method,
      path,
      others: others.map((other) => ({ file: other.file, range: other.range })),
    });
  }
  return shared;
}

/** Prefixes that several files share or nest. Most projects have none, and need no further work. */
function prefixesThatMeet(declarations: readonly Declaration[]): Set<string> {
  const filesOf = new Map<string, Set<string>>();
  for (const declaration of declarations)
    for (const [prefix, file] of prefixesOf(declaration))
      filesOf.set(prefix, (filesOf.get(prefix) ?? new Set()).add(file));
  const near = new Set<string>();
  for (const [prefix, files] of filesOf) {
    if (files.size > 1) near.add(prefix);
    for (let end = prefix.lastIndexOf('/'); end > 0; end = prefix.lastIndexOf('/', end - 1)) {
      const above = prefix.slice(0, end);
      if (filesOf.has(above)) near.add(above).add(prefix);
    }
  }
  return near;
}

function prefixesOf(declaration: Declaration): [prefix: string, file: string][] {
  const { form, kind, file, routes } = declaration;
  if (form === 'table') return [[`/${effectiveName(declaration)}`, file]];
  return kind === 'queue'
    ? [[filePrefix(file), file]]
    : routes.map((one) => [filePrefix(one.file), one.file]);
}

function sitesOf(declaration: Declaration, isAlone: (file: string) => boolean): Site[] {
  const { form, kind, file, served, routes } = declaration;
  const name = effectiveName(declaration);
  if (name === null) return [];
  if (form === 'table') {
    const prefix = `/${name}`;
    const isCommand = kind !== 'queue';
    const path = isCommand ? prefix : `${prefix}/runsync`;
    return [{ ...nameRange(declaration), prefix, method: isCommand ? 'ANY' : 'POST', path, isCommand }];
  }
  if (kind === 'queue') {
    return served.map(({ definition }) => {
      const path = `${queuePrefix(file, definition.name, isAlone(file))}/runsync`;
      return {
        file,
        range: definition.nameRange,
        prefix: filePrefix(file),
        method: 'POST',
        path,
        isCommand: false,
      };
    });
  }
  return routes.flatMap((route) => {
    if (route.path.state !== 'known') return [];
    const prefix = filePrefix(route.file);
    const { method, path } = route;
    const site = { file: route.file, range: pathRange(route), prefix, method, path: prefix + path.value };
    return [{ ...site, isCommand: false }];
  });
}

function keyOf({ method, path }: Site): string {
  return `${method} ${shapeOf(path)}`;
}

function isBelow({ path }: Site, command: Site): boolean {
  return path.startsWith(`${command.path}/`);
}
