/** An endpoint or a route inside a function, which no worker calls: nothing of it is deployed. */
import { misusesOf } from './misusesOf.ts';
import type { Rule } from './rule.ts';

export const endpointInFunction: Rule = (index) => misusesOf(index, 'endpoint-in-function');
