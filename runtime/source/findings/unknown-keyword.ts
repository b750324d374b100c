import {
  dialectOf,
  KEYWORDS,
  outcomesOf,
  type RouteDeclaration,
  TABLE_KEYS,
} from '../declarations/Declaration.ts';
import { nearest } from '../declarations/nearest.ts';
import { readArguments } from '../declarations/readDeclaration.ts';
import { removal } from '../fixes/callArguments.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt, routeAt } from '../fixes/findPlace.ts';
import { isSameRange } from '../syntax/range.ts';
import type { Finding, FoundText } from './Finding.ts';

/**
 * `Endpoint`, an endpoint in `pyproject.toml`, or a route does not have this argument. A route takes only its
 * path: FastAPI's options, such as `tags` and `status_code`, are not supported.
 *
 * ```toml
 * [[tool.toolkit.endpoints]]
 * name = "server"
 * command = ["./server"]
 * worker = [0, 1]
 * ```
 *
 * Fixed:
 *
 * ```toml
 * [[tool.toolkit.endpoints]]
 * name = "server"
 * command = ["./server"]
 * workers = [0, 1]
 * ```
 */
export const unknownKeyword: Finding = {
  code: 'unknown-keyword',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  *find({ declarations }) {
    for (const { file, form, unknown } of declarations) {
      for (const { keyword, keywordRange: range } of unknown) {
        const known = form === 'table' ? TABLE_KEYS : KEYWORDS;
        const meant = meantBy(keyword, known).join(' or ');
        const has =
          form === 'table'
            ? `An endpoint in pyproject.toml has no key ${keyword}`
            : `Endpoint has no argument ${keyword}`;
        yield {
          file,
          range,
          message: meant ? `${has}; did you mean ${meant}?` : `${has}; it takes ${known.join(', ')}.`,
          fix: meant ? `Write ${meant} instead of ${keyword}.` : `Remove ${keyword}.`,
        };
      }
    }
    yield* declarations.flatMap(({ routes }) => routes.flatMap(unknownOfRoute));
  },
  fixes: [renameKeyword, removeKeyword, removeFromRoute],
};

/** Names of arguments on other platforms → their names here. */
const OTHER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['timeout', ['idle_timeout', 'execution_timeout']],
  ['load_balanced', ['kind = "load-balanced"']],
  ['type', ['kind']],
  ['concurrency', ['max_concurrency']],
  ['requirements', ['dependencies']],
  ['packages', ['dependencies']],
]);

/** The arguments that were probably meant by a keyword; empty if none is similar. */
function meantBy(keyword: string, known: readonly string[]): readonly string[] {
  const others = OTHER_NAMES.get(keyword)?.filter((one) => known.includes(one.split(' ', 1)[0]!)) ?? [];
  const near = nearest(keyword, known);
  return others.length > 0 || near === null ? others : [near];
}

/** Options of FastAPI's route decorators that users may expect here. */
const FASTAPI =
  /^(?:response_\w+|responses|status_code|tags|summary|description|deprecated|operation_id|include_in_schema|dependencies|name|callbacks|openapi_extra|generate_unique_id_function|methods)$/;

function unknownOfRoute({ file, unknown, decorator, path }: RouteDeclaration): FoundText[] {
  const route = `@${decorator.path!.join('.')}`;
  return unknown.map(({ keyword, keywordRange: range }) => {
    const isPath = path.state === 'invalid' && nearest(keyword, ['path']) !== null;
    const reason = FASTAPI.test(keyword)
      ? "; FastAPI's options are not supported: a route takes only its path."
      : '; a route takes only its path.';
    return {
      file,
      range,
      message: `${route} has no argument ${keyword}${isPath ? '; did you mean path?' : reason}`,
      fix: isPath ? `Write path instead of ${keyword}.` : `Remove ${keyword}.`,
    };
  });
}

/** The keyword that was probably meant. */
function* renameKeyword(request: FixRequest): Fixes {
  const place = argumentAt(request);
  if (!place) return;
  const { declaration, argument } = place;
  const known = declaration.form === 'table' ? TABLE_KEYS : KEYWORDS;
  const [only, other] = meantBy(argument.keyword, known);
  const meant = other ? undefined : known.find((keyword) => keyword === only);
  if (!meant || declaration.given[meant]) return;
  const read = readArguments({ [meant]: argument }, dialectOf(declaration), false);
  const outcome = outcomesOf({ ...declaration, ...read })[meant];
  // The fix would only replace one mistake with another.
  if (outcome.state === 'invalid') return;
  const edits = [{ range: argument.keywordRange, newText: meant }];
  yield { title: `Change ${argument.keyword} to ${meant}`, edits, preferred: true };
}

function* removeKeyword(request: FixRequest): Fixes {
  const place = argumentAt(request);
  if (place) yield removal(request.source, place.declaration, place.argument);
}

function* removeFromRoute({ index, source, found }: FixRequest): Fixes {
  const route = routeAt({ index, found })?.route;
  const argument = route?.unknown.find(({ keywordRange }) => isSameRange(keywordRange, found.range));
  const call = route?.decorator.call;
  if (call && argument) yield removal(source, { form: 'decorator', call, given: {}, unknown: [] }, argument);
}
