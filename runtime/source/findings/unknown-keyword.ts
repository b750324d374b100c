/** A keyword that `Endpoint` does not have, with the one that was probably meant. */
import { KEYWORDS, TABLE_KEYS } from '../declarations/Declaration.ts';
import { nearest } from '../declarations/nearest.ts';
import { finding, type Rule } from './Finding.ts';

export const unknownKeyword: Rule = (index) =>
  index.declarations.flatMap(({ file, form, unknown }) =>
    unknown.map(({ keyword, keywordRange }) => {
      const known = form === 'table' ? TABLE_KEYS : KEYWORDS;
      const meant = nearest(keyword, known);
      const has =
        form === 'table'
          ? `An endpoint in pyproject.toml has no key ${keyword}`
          : `Endpoint has no argument ${keyword}`;
      return finding('unknown-keyword', {
        file,
        range: keywordRange,
        message: meant ? `${has}; did you mean ${meant}?` : `${has}; it takes ${known.join(', ')}.`,
        fix: meant ? `Write ${meant} instead of ${keyword}.` : `Remove ${keyword}.`,
      });
    }),
  );
