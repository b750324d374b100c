import { CPU_FORMS } from '../../contract/hardware.ts';
import { dialectOf } from '../declarations/Declaration.ts';
import { assigned, example } from '../declarations/dialect.ts';
import { nearest } from '../declarations/nearest.ts';
import { normaliseCpu } from '../fixes/normalise-cpu.ts';
import type { Finding } from './Finding.ts';

/**
 * The value has the right form, but the toolkit's hardware table has no such CPU type. The platform may still
 * accept it.
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(cpu="cpu5c-4-9")
 * def count(text: str):
 *     """Count words."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint
 *
 * @Endpoint(cpu="cpu5c-4-8")
 * def count(text: str):
 *     """Count words."""
 * ```
 */
export const unknownCpu: Finding = {
  code: 'unknown-cpu',
  severity: 'warning',
  chapter: 'Arguments of Endpoint',
  *find({ declarations }) {
    for (const declaration of declarations) {
      const { file, cpu, given } = declaration;
      if (cpu.state !== 'known' || !given.cpu || CPU_FORMS.includes(cpu.value)) continue;
      const dialect = dialectOf(declaration);
      const meant = nearest(cpu.value, CPU_FORMS);
      const problem = `"${cpu.value}" is not a known CPU type`;
      yield {
        file,
        range: given.cpu.expression.range,
        message: meant
          ? `${problem}; did you mean "${meant}"?`
          : `${problem}; the known types are ${CPU_FORMS.join(', ')}.`,
        fix: meant
          ? `Write ${assigned(dialect, 'cpu', `"${meant}"`)}.`
          : example(dialect, 'cpu', `"${CPU_FORMS[0]}"`),
      };
    }
  },
  fixes: [normaliseCpu],
};
