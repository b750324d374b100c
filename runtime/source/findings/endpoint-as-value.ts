/** The class `Endpoint` passed on as a value: what is declared through it is not found. */

import type { Rule } from './Finding.ts';
import { misusesOf } from './misusesOf.ts';

export const endpointAsValue: Rule = (index) => misusesOf(index, 'endpoint-as-value');
