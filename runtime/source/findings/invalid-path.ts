import { pathRange } from '../declarations/pathRange.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { routeAt } from '../fixes/findPlace.ts';
import { isTaken, pathFix } from '../fixes/routePath.ts';
import type { Finding } from './Finding.ts';

/** Braces around anything except `name`, or `name:path` with a converter. */
const OTHER_BRACES = /\{(?![A-Za-z_]\w*(?::[a-z]+)?\})|(?<!\{[A-Za-z_]\w*(?::[a-z]+)?)\}/;

interface Fault {
  problem: string;
  pattern: RegExp;
  /** The path with the fault repaired, where that is possible. */
  repaired: (path: string) => string;
  also?: string;
}

/** In the order in which they are repaired. */
const FAULTS: readonly Fault[] = [
  { problem: 'does not begin with "/"', pattern: /^(?!\/)/, repaired: (path) => `/${path}` },
  {
    problem: 'contains "?" or "#", which a route cannot have',
    pattern: /[?#]/,
    repaired: (path) => path.replace(/[?#][^]*$/, ''),
    also: '; the query parameters of a request are passed to the parameters of the function',
  },
  {
    problem: 'contains whitespace',
    pattern: /\s/,
    repaired: (path) =>
      path
        .trim()
        .replaceAll(/\{\s+|\s+\}/g, (brace) => brace.trim())
        .replaceAll(/\s+/g, '-'),
  },
  {
    problem: 'has a parameter that does not have the form {name}',
    pattern: OTHER_BRACES,
    repaired: (path) => path.replaceAll(/(?<=\{)[^{}]+(?=\})/g, parameterName),
  },
];

/** A valid parameter name. A name that has non-ASCII letters, or no letters, is returned as written. */
function parameterName(written: string): string {
  return /^[ -~]*[A-Za-z][ -~]*$/.test(written) ? written.replaceAll(/[^\w:]+/g, '_') : written;
}

/**
 * A route has no path, or its path does not begin with `/`, or the path contains a query string, whitespace,
 * or braces that are not a parameter.
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
 * Fixed:
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
  const fault = FAULTS.find(({ pattern }) => pattern.test(path));
  if (fault) {
    const { problem, also = '' } = fault;
    const whole = repaired(path);
    const isRepaired = FAULTS.every(({ pattern }) => !pattern.test(whole));
    return { problem, fix: isRepaired ? `Write "${whole}"${also}.` : 'For example: "/items/{id}".' };
  }
  const names = [...path.matchAll(/\{(\w+)/g)].map((match) => match[1]!);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated === undefined) return null;
  return { problem: `has the parameter {${repeated}} twice`, fix: 'Give one of them another name.' };
}

/** Writes the path with a leading slash, and without the parts that a path cannot have. */
function* validPath({ index, source, found }: FixRequest): Fixes {
  const place = routeAt({ index, found });
  if (!place) return;
  const { route, declaration } = place;
  const written = route.path.state === 'known' ? route.path.value : '';
  if (route.path.state === 'invalid' && route.expression) return;
  const path = written === '' ? `/${route.definition.name}` : repaired(written);
  if (path === written || faultOf(path) || isTaken(index, declaration, route, path)) return;
  yield pathFix(source, route, path, { safe: path === `/${written}`, preferred: true });
}

function repaired(written: string): string {
  return FAULTS.reduce((path, fault) => (fault.pattern.test(path) ? fault.repaired(path) : path), written);
}
