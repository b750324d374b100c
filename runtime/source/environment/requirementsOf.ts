/** A declaration → all requirements that its workers install. */
import { BASE_IMAGE_PACKAGES, WORKER_REQUIREMENTS } from '../../contract/names.ts';
import { type Declaration, effectiveName } from '../declarations/Declaration.ts';
import type { Dependencies } from './Dependencies.ts';

/** The known `dependencies` of declarations. */
export function declaredBy(declarations: readonly Declaration[]): readonly string[] {
  return declarations.flatMap(({ dependencies }) =>
    dependencies.state === 'known' ? dependencies.value : [],
  );
}

/**
 * Requirements of the declaration, of other declarations of the same name, of the project, of the base image
 * and of the toolkit's own worker, as written. Null when not all of them are known, for example with a custom
 * image.
 */
export function requirementsOf(
  index: { named(name: string): readonly Declaration[] },
  declaration: Declaration,
  dependencies: Dependencies,
): readonly string[] | null {
  const name = effectiveName(declaration);
  const same = name === null ? [declaration] : index.named(name);
  const own: string[] = [];
  for (const { image, kind, dependencies: given } of same) {
    if (image.state !== 'absent' || given.state === 'dynamic' || given.state === 'invalid') return null;
    if (given.state === 'known') own.push(...given.value);
    if (kind === 'load-balanced') own.push(...WORKER_REQUIREMENTS.loadBalanced);
  }
  const shared = dependencies.ofProject();
  return shared && [...own, ...shared, ...BASE_IMAGE_PACKAGES];
}
