/** One line that says where an endpoint's functions run. */

import type { Hardware } from '../../runtime/contract/endpoint.ts';
import { LIVE_PREFIX } from '../../runtime/contract/names.ts';
import {
  type Declaration,
  effectiveName,
  spokenName,
} from '../../runtime/source/declarations/Declaration.ts';
import { endpointDocument } from '../../runtime/source/declarations/endpointDocument.ts';
import type { DocumentContext } from './feature.ts';
import { deployedOf } from './urls.ts';

/** `on live-gpu_worker · GPU ANY` while dev runs, `on gpu_worker · GPU ANY` else; an instance counts its routes too. */
export function whereItRuns({ client, project }: DocumentContext, declaration: Declaration): string {
  const { hardware, kind } = endpointDocument(declaration, project.index.names.factsOf);
  const name = effectiveName(declaration);
  const parts = [
    name === null ? spokenName(declaration) : `on ${client.dev === null ? '' : LIVE_PREFIX}${name}`,
    hardwareText(hardware),
  ];
  if (kind === 'load-balanced' && declaration.form !== 'table') {
    const count = declaration.routes.length;
    parts.push(count === 1 ? '1 route' : `${count} routes`);
  }
  const deployed = deployedOf(client, declaration);
  if (deployed) parts.push(`build ${deployed.build}${client.environment ? ` in ${client.environment}` : ''}`);
  return parts.join(' · ');
}

/** `GPU ADA_24`, `cpu5c-4-8`. */
function hardwareText(hardware: Hardware | null): string {
  if (hardware === null) return 'hardware known when the code runs';
  return 'gpu' in hardware ? `GPU ${hardware.gpu}` : hardware.cpu;
}
