/** Declarations → the places where a name is given, grouped: shared by the two rules on names given twice. */
import type { Range, RelatedLocation } from '../../contract/diagnostic.ts';
import { type Declaration, nameRange } from '../declarations/Declaration.ts';

export interface NameSite {
  name: string;
  /** Declared in pyproject.toml. */
  isTable: boolean;
  file: string;
  range: Range;
}

/** One site per function of a queue-based declaration; dynamic and missing names have none. */
export function sitesOf(declaration: Declaration, name: string | null): NameSite[] {
  if (name === null || name === '') return [];
  const { served } = declaration;
  const isTable = declaration.form === 'table';
  if (declaration.form !== 'instance' || served.length < 2)
    return [{ name, isTable, ...nameRange(declaration) }];
  return served.map(({ file, definition }) => ({ name, isTable, file, range: definition.nameRange }));
}

/** Sites by name, in order of their first. */
export function groupByName(sites: readonly NameSite[]): Map<string, NameSite[]> {
  return Map.groupBy(sites, ({ name }) => name);
}

/** More places than these nobody looks at, and each place of a hundred would tell all the others. */
const MOST_RELATED = 20;

/** The first of the sites but one, as related locations. */
export function othersOf(site: NameSite, sites: readonly NameSite[], message: string): RelatedLocation[] {
  return sites
    .slice(0, MOST_RELATED + 1)
    .filter((other) => other !== site)
    .slice(0, MOST_RELATED)
    .map(({ file, range }) => ({ file, range, message }));
}
