/** All layouts. Titles are unique, and so are the endpoints of layouts with answers. */
import { FORMS } from './forms.ts';
import { IMPORTS } from './imports.ts';
import type { Layout } from './layout.ts';
import { PLACES } from './places.ts';
import { REFUSED } from './refused.ts';
import { TEXTS } from './texts.ts';
import { VALUES } from './values.ts';

export const LAYOUTS: readonly Layout[] = [...IMPORTS, ...PLACES, ...VALUES, ...FORMS, ...TEXTS, ...REFUSED];
