/** Declarations → where their names are given. Shared by the findings about names that are declared more than once. */
import type { RelatedLocation } from '../../contract/diagnostic.ts';
import { areOneOf } from '../declarations/alternatives.ts';
import { type Declaration, effectiveName, nameRange } from '../declarations/Declaration.ts';
import type { FileIndex } from './FileIndex.ts';

type Site = Omit<RelatedLocation, 'message'>;

export interface NameSite extends Site {
  /** Declared in pyproject.toml. */
  isTable: boolean;
}

/** One site per function of a queue-based declaration; dynamic and missing names have none. */
export function sitesOf(declaration: Declaration, name: string): NameSite[] {
  if (name === '') return [];
  const { form, served } = declaration;
  const isTable = form === 'table';
  if (form !== 'instance' || served.length < 2) return [{ isTable, ...nameRange(declaration) }];
  const apart = served.filter((one, at) => !served.slice(0, at).some((other) => areOneOf(other, one)));
  return apart.map(({ file, definition }) => ({ isTable, file, range: definition.nameRange }));
}

/** The names of endpoints that have a declaration, function or route in a file. */
export function namesIn({ declarations }: FileIndex): string[] {
  return [...new Set(declarations.map(effectiveName).filter((name) => name !== null))];
}

/**
 * Maximum number of related locations of a finding. Nobody reads more, and each of a hundred sites would list
 * all the others.
 */
const MOST_RELATED = 20;

/** The first of the other sites, as related locations. */
export function othersOf(site: Site, sites: readonly Site[], message: string): RelatedLocation[] {
  return sites
    .slice(0, MOST_RELATED + 1)
    .filter((other) => other !== site)
    .slice(0, MOST_RELATED)
    .map(({ file, range }) => ({ file, range, message }));
}
