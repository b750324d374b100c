/** An endpoint or a route inside a function, which no worker calls: nothing of it is deployed. */

import type { Rule } from './Finding.ts';
import { misusesOf } from './misusesOf.ts';

export const endpointInFunction: Rule = (index) => misusesOf(index, 'endpoint-in-function');
