/** Repairs decorators that declare nothing: a bare `@Endpoint`, and a verb that no instance has. */
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import { nearest } from '../declarations/nearest.ts';
import type { Fixes, FixRequest } from './Fix.ts';
import { decoratorAt } from './findPlace.ts';

export function* callEndpoint({ index, source, found }: FixRequest): Fixes {
  const { file, range } = found;
  const decorated = decoratorAt({ index, found });
  const path = decorated?.decorator.path;
  if (!path) return;
  const end = source.offset(range.end);
  if (index.isEndpointClass(file, decorated.scope, path)) {
    if (decorated.decorator.call) return;
    const edits = [source.insert(end, '()')];
    yield { title: `Write @${path.join('.')}()`, edits, safe: true, preferred: true };
    return;
  }
  const verb = path.at(-1)!;
  const meant = nearest(verb, ROUTE_VERBS);
  const owners = index.instancesOf(file, decorated.scope, path.slice(0, -1));
  if (!meant || meant === verb || owners.length !== 1) return;
  const edits = [source.edit(end - verb.length, end, meant)];
  yield { title: `Write ${meant} instead of ${verb}`, edits, preferred: true };
}
