/** What a route's parameter says about how FastAPI binds it: a type such as `Request`, or a call of `Header`. */
import type { ParameterSource } from '../../contract/inputSchema.ts';

const FROM_FRAMEWORK =
  /^(?:fastapi|starlette)\.(?:\w+\.)*(?:Request|HTTPConnection|Response|BackgroundTasks|Depends|Security|Header|Cookie)$/;
const FROM_REQUEST = /^fastapi\.(?:\w+\.)*(Path|Query|Body)$/;

/**
 * @param names - Dotted names of what the parameter refers to in other packages.
 * @returns Where a request carries it; `framework` for what is no parameter of a request's path, query or body; null
 * where the parameter does not say.
 */
export function boundBy(names: readonly string[]): ParameterSource | 'framework' | null {
  if (names.some((name) => FROM_FRAMEWORK.test(name))) return 'framework';
  const [place] = names.flatMap((name) => FROM_REQUEST.exec(name)?.[1] ?? []);
  return place === undefined ? null : (place.toLowerCase() as ParameterSource);
}
