/** Declarations, functions and instances → the location that an editor jumps to. */
import type { Location } from 'vscode-languageserver';
import type { Position, Range } from '../../runtime/contract/diagnostic.ts';
import { type Declaration, nameRange } from '../../runtime/source/declarations/Declaration.ts';
import type { BoundName } from '../../runtime/source/references/BoundName.ts';
import { declarationsAt } from '../../runtime/source/references/endpointSites.ts';
import { statementsAt } from '../../runtime/source/references/statementsAt.ts';
import type { ProjectView } from '../../runtime/source/snapshot/ProjectView.ts';
import { placeKey } from '../../runtime/source/syntax/range.ts';

/** The name of a queue-based function, the call of an instance, or the name in a table. */
export function declarationPlace(declaration: Declaration, uriOf: (file: string) => string): Location {
  const { form, served, file, call } = declaration;
  const first = form === 'decorator' ? served[0] : undefined;
  if (first) return { uri: uriOf(first.file), range: first.definition.nameRange };
  const place = form === 'table' ? nameRange(declaration) : { file, range: call.calleeRange };
  return { uri: uriOf(place.file), range: place.range };
}

/** Where a function, class or instance of an endpoint is bound to its name. Reads only its file. */
export function originPlaces(
  { index, withSegmentsNow }: ProjectView,
  { file, scope, name }: BoundName,
  uriOf: (file: string) => string,
): Location[] {
  const facts = index.names.factsOf(file);
  const isDeclared = (start: Position) => declarationsAt(index, file, start).length > 0;
  const ranges = (facts?.scopes[scope]?.bindings[name] ?? []).flatMap((binding): Range[] => {
    if (binding.kind === 'definition') {
      const { nameRange: range } = facts!.definitions[binding.definition]!;
      return isDeclared(range.start) ? [range] : [];
    }
    if (binding.kind !== 'value' || binding.expression.kind !== 'call') return [];
    const { range, calleeRange } = binding.expression.call;
    if (!isDeclared(range.start)) return [];
    const statements = statementsAt({ withSegmentsNow }, file, [range.start]);
    return [statements.get(placeKey(range.start))?.selectionRange ?? calleeRange];
  });
  return ranges.map((range) => ({ uri: uriOf(file), range }));
}
