/** METHOD and path twice on one endpoint, in one file or across files: found at every site. */
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { type Declaration, effectiveName, type RouteDeclaration } from '../declarations/Declaration.ts';
import { pathRange } from './pathRange.ts';
import { finding, type Rule } from './rule.ts';

export const duplicateRoute: Rule = (index) => {
  const findings: Diagnostic[] = [];
  const routes = new Map<string, RouteDeclaration[]>();
  for (const [place, declaration] of index.declarations.entries()) {
    for (const route of declaration.routes) {
      if (route.path.state !== 'known') continue;
      // Parameters of other names match the same requests.
      const shape = route.path.value.replaceAll(/\{\w+/g, '{');
      const key = `${ownerOf(declaration, place)} ${route.method} ${shape}`;
      routes.set(key, [...(routes.get(key) ?? []), route]);
    }
  }
  for (const same of routes.values()) {
    const sites = same.filter(
      (route, place) => same.findIndex((other) => other.decorator === route.decorator) === place,
    );
    if (sites.length > 1) findings.push(...sites.map((route) => duplicate(route, sites)));
  }
  return findings;
};

/** Instances of one name are one endpoint; one whose name cannot be told stands for itself. */
function ownerOf(declaration: Declaration, place: number): string {
  return effectiveName(declaration) ?? `#${place}`;
}

function duplicate(route: RouteDeclaration, sites: readonly RouteDeclaration[]): Diagnostic {
  const path = route.path.state === 'known' ? route.path.value : '';
  return finding('duplicate-route', {
    file: route.file,
    range: pathRange(route),
    message: `The route ${route.method} ${path} is declared ${sites.length} times on one endpoint.`,
    related: sites
      .filter((other) => other !== route)
      .map((other) => ({
        file: other.file,
        range: pathRange(other),
        message: 'The same route is declared here.',
      })),
    fix: 'Give one of them another path or method.',
  });
}
