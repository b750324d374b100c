import { pathRange } from '../declarations/pathRange.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { routeAt } from '../fixes/findPlace.ts';
import { isTaken, pathFix } from '../fixes/routePath.ts';
import type { Finding } from './Finding.ts';

/** `{name}`, or `{name:path}` with a converter. */
const PARAMETER = /\{[A-Za-z_]\w*(?::[a-z]+)?\}/g;

interface Fault {
  problem: string;
  /** Whether a path has it. */
  isIn: (path: string) => boolean;
  /** The path without it; null where more than one thing may be meant. */
  mended: (path: string) => string | null;
  /** What else there is to say, behind the mended path. */
  also?: string;
  /** What to do where the path cannot be mended. */
  otherwise?: string;
}

/** In the order in which they are mended. */
const FAULTS: readonly Fault[] = [
  {
    problem: 'does not begin with "/"',
    isIn: (path) => !path.startsWith('/'),
    mended: (path) => `/${path}`,
  },
  {
    problem: 'contains a "?" or "#", which no route has',
    isIn: (path) => /[?#]/.test(path),
    mended: (path) => path.replace(/[?#][^]*$/, ''),
    also: '; what a request says after "?" arrives as parameters of the function',
  },
  {
    problem: 'contains a blank',
    isIn: (path) => /\s/.test(path),
    mended: (path) => path.trim().replaceAll(/\s+/g, '-'),
  },
  {
    problem: 'has a parameter that is not of the form {name}',
    isIn: hasOtherBraces,
    mended: (path) => {
      const named = path.replaceAll(
        /\{([^{}]+)\}/g,
        (_, name: string) => `{${name.replaceAll(/[^\w:]+/g, '_')}}`,
      );
      return hasOtherBraces(named) ? null : named;
    },
    otherwise: 'Write for example "/items/{id}".',
  },
];

/**
 * A route has no path, or its path has no leading `/`, a query, a blank, or braces that are no parameter.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("items")
 * def items():
 *     """List the items."""
 * ```
 *
 * Repaired:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * api = Endpoint(name="api")
 *
 * @api.get("/items")
 * def items():
 *     """List the items."""
 * ```
 */
export const invalidPath: Finding = {
  code: 'invalid-path',
  severity: 'error',
  chapter: 'Routes',
  *find({ declarations }) {
    for (const route of declarations.flatMap(({ routes }) => routes)) {
      const { file, path } = route;
      const range = pathRange(route);
      if (path.state === 'invalid') {
        yield { file, range, message: `${path.problem}, a string that begins with "/".`, fix: path.fix };
      }
      const fault = path.state === 'known' ? faultOf(path.value) : null;
      if (path.state !== 'known' || fault === null) continue;
      yield { file, range, message: `The path "${path.value}" ${fault.problem}.`, fix: fault.fix };
    }
  },
  fixes: [validPath],
};

function faultOf(path: string): { problem: string; fix: string } | null {
  const fault = FAULTS.find(({ isIn }) => isIn(path));
  if (fault) {
    const { problem, also = '', otherwise = '' } = fault;
    const mended = fault.mended(path);
    return { problem, fix: mended === null ? otherwise : `Write "${mended}"${also}.` };
  }
  const repeated = repeatedParameter(path);
  if (repeated === undefined) return null;
  return { problem: `has the parameter {${repeated}} twice`, fix: 'Give one of them another name.' };
}

function hasOtherBraces(path: string): boolean {
  return /[{}]/.test(path.replaceAll(PARAMETER, ''));
}

function repeatedParameter(path: string): string | undefined {
  const names = [...path.matchAll(/\{(\w+)/g)].map((match) => match[1]!);
  return names.find((name, place) => names.indexOf(name) !== place);
}

/** With a slash first, without what no path has. */
function* validPath({ index, source, found }: FixRequest): Fixes {
  const place = routeAt({ index, found });
  if (!place) return;
  const { route, declaration } = place;
  const written = route.path.state === 'known' ? route.path.value : '';
  if (route.path.state === 'invalid' && route.expression) return;
  const path = written === '' ? `/${route.definition.name}` : mended(written);
  if (path === null || isTaken(index, declaration, route, path)) return;
  yield pathFix(source, route, path, { safe: path === `/${written}`, preferred: true });
}

/** Null when more than one thing may be meant. */
function mended(written: string): string | null {
  const path = FAULTS.reduce<string | null>(
    (now, fault) => (now !== null && fault.isIn(now) ? fault.mended(now) : now),
    written,
  );
  return path === null || path === written || repeatedParameter(path) !== undefined ? null : path;
}
