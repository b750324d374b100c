/**
 * Finds how FastAPI binds a route's parameter, from a type such as `Request` or a call such as `Header(...)`.
 */
import type { ParameterSource } from '../../contract/inputSchema.ts';

const FROM_FRAMEWORK =
  /^(?:fastapi|starlette)\.(?:\w+\.)*(?:Request|HTTPConnection|Response|BackgroundTasks|Depends|Security|Header|Cookie)$/;
const FROM_REQUEST = /^fastapi\.(?:\w+\.)*(Path|Query|Body)$/;

/**
 * @param names - Dotted names in other packages that the parameter refers to.
 * @returns The part of the request that contains the parameter; `framework` if it is not in the path, query
 *   or body; null if the parameter does not say.
 */
export function boundBy(names: readonly string[]): ParameterSource | 'framework' | null {
  if (names.some((name) => FROM_FRAMEWORK.test(name))) return 'framework';
  const [place] = names.flatMap((name) => FROM_REQUEST.exec(name)?.[1] ?? []);
  return place === undefined ? null : (place.toLowerCase() as ParameterSource);
}
