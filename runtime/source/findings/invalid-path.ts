/** A route whose path is missing, does not begin with `/`, or cannot be matched against requests. */

import { pathRange } from '../declarations/pathRange.ts';
import { finding, type Rule } from './Finding.ts';

/** `{name}`, or `{name:path}` with a converter. */
const PARAMETER = /\{[A-Za-z_]\w*(?::[a-z]+)?\}/g;

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
      const found = path.state === 'known' ? faultOf(path.value) : null;
      if (path.state !== 'known' || found === null) return [];
      return [
        finding('invalid-path', {
          file: route.file,
          range: pathRange(route),
          message: `The path "${path.value}" ${found.problem}.`,
          fix: found.fix,
        }),
      ];
    }),
  );

function faultOf(path: string): { problem: string; fix: string } | null {
  if (!path.startsWith('/')) return { problem: 'does not begin with "/"', fix: `Write "/${path}".` };
  const query = path.search(/[?#]/);
  if (query !== -1) {
    return {
      problem: 'contains a "?" or "#", which no route has',
      fix: `Write "${path.slice(0, query)}"; what a request says after "?" arrives as parameters of the function.`,
    };
  }
  if (/\s/.test(path)) {
    return { problem: 'contains a blank', fix: `Write "${path.trim().replaceAll(/\s+/g, '-')}".` };
  }
  if (/[{}]/.test(path.replaceAll(PARAMETER, ''))) {
    const named = path.replaceAll(
      /\{([^{}]+)\}/g,
      (_, name: string) => `{${name.replaceAll(/[^\w:]+/g, '_')}}`,
    );
    const isMended = !/[{}]/.test(named.replaceAll(PARAMETER, ''));
    return {
      problem: 'has a parameter that is not of the form {name}',
      fix: isMended ? `Write "${named}".` : 'Write for example "/items/{id}".',
    };
  }
  const names = [...path.matchAll(/\{(\w+)/g)].map((match) => match[1]!);
  const repeated = names.find((name, place) => names.indexOf(name) !== place);
  if (repeated === undefined) return null;
  return { problem: `has the parameter {${repeated}} twice`, fix: 'Give one of them another name.' };
}
