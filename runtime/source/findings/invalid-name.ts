/** A name that cannot be part of an address. */
import { fittingName, isValidName, NAME_RULE } from '../../contract/names.ts';
import { dialectOf, effectiveName, nameRange } from '../declarations/Declaration.ts';
import { example } from '../declarations/dialect.ts';
import { finding, type Rule } from './Finding.ts';

export const invalidName: Rule = (index) =>
  index.declarations.flatMap((declaration) => {
    const name = effectiveName(declaration);
    if (name === null || name === '' || isValidName(name)) return [];
    return [
      finding('invalid-name', {
        ...nameRange(declaration),
        message: `"${name}" cannot be the name of an endpoint: a name is ${NAME_RULE}.`,
        fix: example(dialectOf(declaration), 'name', `"${fittingName(name) ?? 'my-endpoint'}"`),
      }),
    ];
  });
