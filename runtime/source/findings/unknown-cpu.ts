/** A well-formed `cpu` that is not in the hardware table: it runs here, a rented platform may not have it. */
import { CPU_FORMS } from '../../contract/hardware.ts';
import { dialectOf } from '../declarations/Declaration.ts';
import { assigned, example } from '../declarations/dialect.ts';
import { nearest } from '../declarations/nearest.ts';
import { finding, type Rule } from './Finding.ts';

export const unknownCpu: Rule = (index) =>
  index.declarations.flatMap((declaration) => {
    const { file, cpu, given } = declaration;
    const dialect = dialectOf(declaration);
    if (cpu.state !== 'known' || !given.cpu || CPU_FORMS.includes(cpu.value)) return [];
    const meant = nearest(cpu.value, CPU_FORMS);
    return [
      finding('unknown-cpu', {
        file,
        range: given.cpu.expression.range,
        message: meant
          ? `"${cpu.value}" is not among the known cpu forms; did you mean "${meant}"?`
          : `"${cpu.value}" is not among the known cpu forms ${CPU_FORMS.join(', ')}.`,
        fix: meant
          ? `Write ${assigned(dialect, 'cpu', `"${meant}"`)}.`
          : example(dialect, 'cpu', `"${CPU_FORMS[0]}"`),
      }),
    ];
  });
