import { GPU_GROUPS, GPU_TYPES } from '../../contract/hardware.ts';
import { DEFAULTS } from '../../contract/limits.ts';
import type { GpuMember } from '../declarations/argumentValues.ts';
import { dialectOf } from '../declarations/Declaration.ts';
import { assigned } from '../declarations/dialect.ts';
import { nearest } from '../declarations/nearest.ts';
import type { Fixes, FixRequest } from '../fixes/Fix.ts';
import { argumentAt } from '../fixes/findPlace.ts';
import { writeGpu } from '../fixes/sdkName.ts';
import type { Finding } from './Finding.ts';

const MEMBERS = { GpuGroup: Object.keys(GPU_GROUPS), GpuType: Object.keys(GPU_TYPES) } as const;
const ANY: GpuMember = { enum: 'GpuGroup', member: DEFAULTS.gpu };

/**
 * `GpuGroup` or `GpuType` has no such member.
 *
 * ```python
 * from toolkit_sdk import Endpoint, GpuGroup
 *
 * @Endpoint(gpu=GpuGroup.ADA24)
 * def embed(text: str):
 *     """Embed a text."""
 * ```
 *
 * Fixed:
 *
 * ```python
 * from toolkit_sdk import Endpoint, GpuGroup
 *
 * @Endpoint(gpu=GpuGroup.ADA_24)
 * def embed(text: str):
 *     """Embed a text."""
 * ```
 */
export const unknownGpu: Finding = {
  code: 'unknown-gpu',
  severity: 'error',
  chapter: 'Arguments of Endpoint',
  *find({ declarations }) {
    for (const declaration of declarations) {
      const { file, form, gpu, given } = declaration;
      if (gpu.state !== 'known' || !given.gpu) continue;
      const { enum: owner, member } = gpu.value;
      // In TOML, a name can be a member of either enum.
      const isTable = form === 'table';
      const known = isTable ? Object.values(MEMBERS).flat() : MEMBERS[owner];
      if (known.includes(member)) continue;
      const meant = meantMember(gpu.value);
      const what = isTable
        ? `"${member}" is not the name of a GPU group or type`
        : `${owner} has no member ${member}`;
      const written = isTable ? `"${meant?.member}"` : `${meant?.enum}.${meant?.member}`;
      const all = `${isTable ? 'the names are' : 'its members are'} ${known.join(', ')}.`;
      const { enum: group, member: name } = meant ?? ANY;
      yield {
        file,
        range: given.gpu.expression.range,
        message: `${what}; ${meant ? `did you mean ${written}?` : all}`,
        fix: `Write ${assigned(dialectOf(declaration), 'gpu', `${group}.${name}`, `"${name}"`)}.`,
      };
    }
  },
  fixes: [nearestGpu],
};

/**
 * The member of the same name in the other enum, else the most similar one in its own enum, else in the
 * other.
 */
function meantMember({ enum: owner, member }: GpuMember): GpuMember | null {
  const name = member.replace(/^Gpu(?:Group|Type)\./, '');
  const other = owner === 'GpuGroup' ? 'GpuType' : 'GpuGroup';
  if (MEMBERS[other].includes(name)) return { enum: other, member: name };
  const near = nearest(name, MEMBERS[owner]);
  if (near !== null) return { enum: owner, member: near };
  const far = nearest(name, MEMBERS[other]);
  return far === null ? null : { enum: other, member: far };
}

/** Writes the member that was probably meant, or the group that uses any free GPU. */
function* nearestGpu(request: FixRequest): Fixes {
  const place = argumentAt(request);
  if (place?.declaration.gpu.state !== 'known') return;
  const meant = meantMember(place.declaration.gpu.value);
  if (meant && meant.member !== ANY.member) yield* writeGpu(request, place, meant, true);
  yield* writeGpu(request, place, ANY, false);
}
