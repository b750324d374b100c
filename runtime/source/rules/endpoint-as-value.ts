/** The class `Endpoint` passed on as a value: what is declared through it is not found. */
import { misusesOf } from './misusesOf.ts';
import type { Rule } from './rule.ts';

export const endpointAsValue: Rule = (index) => misusesOf(index, 'endpoint-as-value');
