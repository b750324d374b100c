/** A load-balanced instance without a name, or any declaration with an empty one. */
import { dialectOf, nameRange } from '../declarations/Declaration.ts';
import { example } from '../declarations/dialect.ts';
import { finding, type Rule } from './Finding.ts';

export const missingName: Rule = (index) =>
  index.declarations.flatMap((declaration) => {
    const { name, kind, form } = declaration;
    const fix = example(dialectOf(declaration), 'name', '"my-endpoint"');
    if (name.state === 'known' && name.value === '') {
      return [
        finding('missing-name', {
          ...nameRange(declaration),
          message: 'The name of an endpoint cannot be empty.',
          fix,
        }),
      ];
    }
    if (name.state !== 'absent' || (kind !== 'load-balanced' && form !== 'table')) return [];
    return [
      finding('missing-name', {
        file: declaration.file,
        range: declaration.call.calleeRange,
        message: `${form === 'table' ? 'An endpoint in pyproject.toml' : 'A load-balanced endpoint'} needs a name.`,
        fix,
      }),
    ];
  });
