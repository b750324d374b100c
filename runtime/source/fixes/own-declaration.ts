/** Gives a function that shares an instance with others a declaration of its own, with the same arguments. */

import { quoted, replaceRange } from './callArguments.ts';
import { type Fixer, fixIn } from './Fix.ts';
import { isSame } from './findPlace.ts';
import { freeName } from './freeName.ts';
import { SourceText } from './SourceText.ts';

export const ownDeclaration: Fixer = (project, found) => {
  const { index } = project;
  const source = SourceText.of(project, found.file);
  const instance = index.declarations.find(
    ({ form, served, routes }) =>
      form === 'instance' &&
      (served.length > 1 || routes.length > 0) &&
      served.some(({ file, definition }) => file === found.file && isSame(definition.nameRange, found.range)),
  );
  // The arguments mean the same only where they are written.
  if (!source || instance?.file !== found.file || instance.scope !== 0) return [];
  const { definition } = instance.served.find((one) => isSame(one.definition.nameRange, found.range))!;
  const decorator = definition.decorators.find(
    ({ path, call }) =>
      path && !call && index.instancesOf(found.file, definition.scope, path).includes(instance),
  );
  if (!decorator || definition.scope !== 0) return [];
  const name = freeName(index, definition.name);
  const others = instance.call.arguments
    .filter(({ keyword, spread }) => spread !== null || (keyword !== null && keyword !== 'name'))
    .map(
      ({ keyword, spread, value }) =>
        `${keyword === null ? spread : `${keyword}=`}${source.slice(value.range)}`,
    );
  const written = [`name=${quoted(name)}`, ...others].join(', ');
  const callee = source.slice(instance.call.calleeRange);
  return [
    fixIn({
      title: `Declare ${definition.name} as an endpoint of its own, "${name}"`,
      file: found.file,
      edits: replaceRange(source, decorator.pathRange, `${callee}(${written})`),
    }),
  ];
};
