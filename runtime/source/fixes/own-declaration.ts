/** Gives a function that shares an instance with others its own declaration, with the same arguments. */

import { isSameRange } from '../syntax/range.ts';
import { otherArguments, quoted } from './callArguments.ts';
import { freeName } from './endpointName.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { servingDecorators, sharedInstanceAt } from './findPlace.ts';

export function* ownDeclaration(request: FixRequest): Fixes {
  const { index, source, found } = request;
  const instance = sharedInstanceAt(request);
  // The arguments may mean something different in another file or scope.
  if (instance?.file !== found.file || instance.scope !== 0) return;
  const served = instance.served.find(({ definition }) => isSameRange(definition.nameRange, found.range))!;
  const [decorator] = servingDecorators(index, instance, { ...served, file: found.file });
  const { definition } = served;
  if (!decorator || definition.scope !== 0) return;
  const name = freeName(index, definition.name);
  const others = otherArguments(source, instance).map(([before, value]) => `${before}${value}`);
  const written = [`name=${quoted(name)}`, ...others].join(', ');
  const newText = `${source.slice(instance.call.calleeRange)}(${written})`;
  yield {
    title: `Declare ${definition.name} as a separate endpoint "${name}"`,
    edits: [{ range: decorator.pathRange, newText }],
  };
}
