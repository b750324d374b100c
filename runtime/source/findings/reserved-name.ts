/** A name with the prefix of the temporary endpoints of `toolkit dev`. */
import { LIVE_PREFIX } from '../../contract/names.ts';
import { effectiveName, nameRange } from '../declarations/Declaration.ts';
import { finding, type Rule } from './Finding.ts';

export const reservedName: Rule = (index) =>
  index.declarations.flatMap((declaration) => {
    const name = effectiveName(declaration);
    if (!name?.startsWith(LIVE_PREFIX)) return [];
    return [
      finding('reserved-name', {
        ...nameRange(declaration),
        message: `"${name}" begins with "${LIVE_PREFIX}", which is reserved for the endpoints of toolkit dev.`,
        fix: `Choose a name that does not begin with "${LIVE_PREFIX}".`,
      }),
    ];
  });
