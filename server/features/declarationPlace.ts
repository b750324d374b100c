/** Declarations, functions and instances → the place that an editor goes to. */
import type { Location } from 'vscode-languageserver';
import { type Declaration, nameRange } from '../../runtime/source/index/Declaration.ts';
import type { ProjectView } from '../../runtime/source/live/ProjectView.ts';
import { usesWithin } from '../../runtime/source/references/findUses.ts';
import type { Slot } from '../../runtime/source/references/Slot.ts';

/** Of a queue-based function its name, of an instance its call, of a table its name. */
export function declarationPlace(declaration: Declaration, uriOf: (file: string) => string): Location {
  const { form, served, file, call } = declaration;
  const first = form === 'decorator' ? served[0] : undefined;
  if (first) return { uri: uriOf(first.file), range: first.definition.nameRange };
  const place = form === 'table' ? nameRange(declaration) : { file, range: call.calleeRange };
  return { uri: uriOf(place.file), range: place.range };
}

/** Where a function, class or instance gets its name: its file alone is looked at. */
export function originPlaces(
  project: ProjectView,
  origin: Slot,
  uriOf: (file: string) => string,
): Location[] {
  return usesWithin(project, origin.file, origin)
    .filter(({ isDeclaration }) => isDeclaration)
    .map(({ range }) => ({ uri: uriOf(origin.file), range }));
}
