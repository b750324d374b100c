/** A keyword that `Endpoint` does not have, with the one that was probably meant. */
import { KEYWORDS } from '../index/Declaration.ts';
import { nearest } from './nearest.ts';
import { finding, type Rule } from './rule.ts';

export const unknownKeyword: Rule = (index) =>
  index.declarations.flatMap(({ file, unknown }) =>
    unknown.map(({ keyword, keywordRange }) => {
      const meant = nearest(keyword, KEYWORDS);
      return finding('unknown-keyword', {
        file,
        range: keywordRange,
        message: meant
          ? `Endpoint has no argument ${keyword}; did you mean ${meant}?`
          : `Endpoint has no argument ${keyword}; it takes ${KEYWORDS.join(', ')}.`,
        fix: meant ? `Write ${meant} instead of ${keyword}.` : `Leave ${keyword} away.`,
      });
    }),
  );
