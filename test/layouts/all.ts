/** All layouts: titles and endpoints of the ones with answers do not repeat. */
import { FORMS } from './forms.ts';
import { IMPORTS } from './imports.ts';
import type { Layout } from './layout.ts';
import { PLACES } from './places.ts';
import { REFUSED } from './refused.ts';
import { TEXTS } from './texts.ts';
import { VALUES } from './values.ts';

export const LAYOUTS: readonly Layout[] = [...IMPORTS, ...PLACES, ...VALUES, ...FORMS, ...TEXTS, ...REFUSED];
