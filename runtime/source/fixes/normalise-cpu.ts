/** Writes a cpu the way the hardware table does: `5C-4-8`, `cpu5c_4_8` and `CPU5C-4-8` become `cpu5c-4-8`. */
import { CPU_FORMS, cpuMember, parseCpuForm } from '../../contract/hardware.ts';
import { nearest } from '../declarations/nearest.ts';
import { quoted } from './callArguments.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { argumentAt } from './findPlace.ts';

export function* normaliseCpu(request: FixRequest): Fixes {
  const place = argumentAt(request);
  if (!place) return;
  const { constant, expression } = place.argument;
  const written =
    constant.type === 'string' ? constant.value : constant.type === 'member' ? constant.member : null;
  if (written === null) return;
  const form = normalised(written);
  const known = CPU_FORMS.includes(form) ? form : nearest(form, CPU_FORMS);
  if (known === null) return;
  const before = request.source.slice(expression.range);
  const isMember = constant.type === 'member' && before.endsWith(`.${constant.member}`);
  const newText = isMember ? before.replace(/\w+$/, cpuMember(known)) : quoted(known, before);
  yield {
    title: `Change ${isMember ? `to ${newText}` : `cpu to "${known}"`}`,
    edits: [{ range: expression.range, newText }],
    // A different size is a different machine, which the user must choose.
    safe: known === form && parseCpuForm(written) === null,
    preferred: true,
  };
}

function normalised(written: string): string {
  const joined = written
    .trim()
    .toLowerCase()
    .replace(/gb?$/, '')
    .replace(/[\s_:x,/-]+/g, '-');
  return joined.startsWith('cpu') ? joined.replace(/^cpu-/, 'cpu') : `cpu${joined}`;
}
