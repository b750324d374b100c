/** Mends decorators that declare nothing: a bare `@Endpoint`, and a verb that no instance has. */
import { ROUTE_VERBS } from '../../contract/endpoint.ts';
import { nearest } from '../declarations/nearest.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { isSame } from './findPlace.ts';
import { SourceText } from './SourceText.ts';

export const callEndpoint: Fixer = (project, found) => {
  const { index } = project;
  const source = SourceText.of(project, found.file);
  const definitions = index.names.factsOf(found.file)?.definitions ?? [];
  const decorated = definitions
    .flatMap(({ scope, decorators }) => decorators.map((decorator) => ({ scope, decorator })))
    .find(({ decorator }) => isSame(decorator.pathRange, found.range));
  const path = decorated?.decorator.path;
  if (!source || !decorated || !path) return [];
  const end = source.offset(found.range.end);
  if (index.isEndpointClass(found.file, decorated.scope, path)) {
    if (decorated.decorator.call) return [];
    const edits = [source.insert(end, '()')];
    const title = `Write @${path.join('.')}()`;
    return [fixIn({ title, file: found.file, edits, safe: true, preferred: true })];
  }
  const verb = path.at(-1)!;
  const meant = nearest(verb, ROUTE_VERBS);
  const owners = index.instancesOf(found.file, decorated.scope, path.slice(0, -1));
  if (!meant || meant === verb || owners.length !== 1) return [];
  const edits = [source.edit(end - verb.length, end, meant)];
  return [fixIn({ title: `Write ${meant} instead of ${verb}`, file: found.file, edits, preferred: true })];
};
