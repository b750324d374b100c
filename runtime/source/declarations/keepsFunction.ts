/** The decorators of a function → whether the function keeps the kind and parameters of its `def`. */
import type { Decorator } from '../binder/FileFacts.ts';
import type { NameResolver } from './NameResolver.ts';

/** Decorators whose result has the same name and parameters as the function. */
const KEEPING =
  /^(?:functools\.(?:lru_)?cache|typing(?:_extensions)?\.(?:overload|final|override|no_type_check)|abc\.abstractmethod|contextlib\.(?:async)?contextmanager|torch\.(?:no_grad|inference_mode))$/;
const KEEPING_BUILTIN = /^(?:staticmethod|classmethod)$/;

/** False if a decorator may replace the function with something else. */
export function keepsFunction(
  names: NameResolver,
  { file, scope }: { file: string; scope: number },
  decorators: readonly Decorator[],
): boolean {
  return decorators.every(({ path }) => {
    if (!path) return false;
    if (path.length === 1 && KEEPING_BUILTIN.test(path[0]!)) return names.isBuiltin(file, scope, path[0]!);
    const [entity, other] = names.resolve(file, scope, path);
    return entity?.kind === 'external' && !other && KEEPING.test(entity.path.join('.'));
  });
}
