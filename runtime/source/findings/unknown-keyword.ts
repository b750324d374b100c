import { dialectOf, KEYWORDS, outcomesOf, TABLE_KEYS } from '../declarations/Declaration.ts';
import { nearest } from '../declarations/nearest.ts';
import { readArguments } from '../declarations/readDeclaration.ts';
import { removal } from '../fixes/callArguments.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt } from '../fixes/findPlace.ts';
import type { Finding } from './Finding.ts';

/**
 * `Endpoint`, or an endpoint of `pyproject.toml`, has no such argument.
 *
 * ```toml
 * [[tool.toolkit.endpoints]]
 * name = "server"
 * command = ["./server"]
 * worker = [0, 1]
 * ```
 *
 * Repaired:
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
        const meant = nearest(keyword, known);
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
  },
  fixes: [renameKeyword, removeKeyword],
};

/** The keyword that was probably meant. */
function* renameKeyword(request: FixRequest): Fixes {
  const place = argumentAt(request);
  if (!place) return;
  const { declaration, argument } = place;
  const known = declaration.form === 'table' ? TABLE_KEYS : KEYWORDS;
  const meant = known.find((keyword) => keyword === nearest(argument.keyword, known));
  if (!meant || declaration.given[meant]) return;
  const read = readArguments({ [meant]: argument }, dialectOf(declaration), false);
  const outcome = outcomesOf({ ...declaration, ...read })[meant];
  // The fix would only replace one mistake with another.
  if (outcome.state === 'invalid') return;
  const edits = [{ range: argument.keywordRange, newText: meant }];
  yield { title: `Write ${meant} instead of ${argument.keyword}`, edits, preferred: true };
}

function* removeKeyword(request: FixRequest): Fixes {
  const place = argumentAt(request);
  if (place) yield removal(request.source, place.declaration, place.argument);
}
