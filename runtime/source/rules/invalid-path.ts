/** A route whose path is missing, does not begin with `/`, or cannot be matched against requests. */

import { pathRange } from './pathRange.ts';
import { finding, type Rule } from './rule.ts';

export const invalidPath: Rule = (index) =>
  index.declarations.flatMap(({ routes }) =>
    routes.flatMap((route) => {
      const { path } = route;
      if (path.state === 'invalid') {
        return [
          finding('invalid-path', {
            file: route.file,
            range: pathRange(route),
            message: `${path.problem}, a string that begins with "/".`,
            fix: path.fix,
          }),
        ];
      }
      const problem = path.state === 'known' ? problemOf(path.value) : null;
      if (path.state !== 'known' || problem === null) return [];
      return [
        finding('invalid-path', {
          file: route.file,
          range: pathRange(route),
          message: `The path "${path.value}" ${problem}.`,
          fix: path.value.startsWith('/') ? 'Write for example "/items/{id}".' : `Write "/${path.value}".`,
        }),
      ];
    }),
  );

function problemOf(path: string): string | null {
  if (!path.startsWith('/')) return 'does not begin with "/"';
  if (/[\s?#]/.test(path)) return 'contains a blank, "?" or "#", which no request path has';
  if (/[{}]/.test(path.replaceAll(/\{[A-Za-z_]\w*(?::[a-z]+)?\}/g, ''))) {
    return 'has a parameter that is not of the form {name}';
  }
  const names = [...path.matchAll(/\{(\w+)/g)].map((match) => match[1]!);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  return repeated === undefined ? null : `has the parameter {${repeated}} twice`;
}
