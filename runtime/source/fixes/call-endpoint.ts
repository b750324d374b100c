/** Fixes decorators that declare nothing: a bare `@Endpoint`, and a misspelled route verb. */
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
    yield { title: `Change to @${path.join('.')}()`, edits, safe: true, preferred: true };
    return;
  }
  const verb = path.at(-1)!;
  const meant = nearest(verb, ROUTE_VERBS);
  const owners = index.instancesOf(file, decorated.scope, path.slice(0, -1));
  if (!meant || meant === verb || owners.length !== 1) return;
  const edits = [source.edit(end - verb.length, end, meant)];
  yield { title: `Change ${verb} to ${meant}`, edits, preferred: true };
}
