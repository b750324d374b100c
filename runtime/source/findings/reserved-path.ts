/** A route at the path on which workers answer health checks. */
import { RESERVED_ROUTE } from '../../contract/names.ts';
import { pathRange } from '../declarations/pathRange.ts';
import { finding, type Rule } from './Finding.ts';

export const reservedPath: Rule = (index) =>
  index.declarations.flatMap(({ routes }) =>
    routes.flatMap((route) => {
      if (route.path.state !== 'known' || route.path.value !== RESERVED_ROUTE) return [];
      return [
        finding('reserved-path', {
          file: route.file,
          range: pathRange(route),
          message: `The path "${RESERVED_ROUTE}" is reserved: workers answer health checks on it.`,
          fix: 'Choose another path, for example "/health".',
        }),
      ];
    }),
  );
