/** Code → its fixtures, in the order of the table of codes. */
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import { duplicateQueueName } from './duplicate-queue-name.ts';
import { duplicateRoute } from './duplicate-route.ts';
import { dynamicValue } from './dynamic-value.ts';
import { endpointAsValue } from './endpoint-as-value.ts';
import { endpointInFunction } from './endpoint-in-function.ts';
import type { RuleFixtures } from './fixtures.ts';
import { gpuAndCpu } from './gpu-and-cpu.ts';
import { hidesStandardModule } from './hides-standard-module.ts';
import { importsIgnoredFile } from './imports-ignored-file.ts';
import { invalidArgument } from './invalid-argument.ts';
import { invalidCpu } from './invalid-cpu.ts';
import { invalidName } from './invalid-name.ts';
import { invalidPath } from './invalid-path.ts';
import { invalidWorkers } from './invalid-workers.ts';
import { manyFunctions } from './many-functions.ts';
import { missingDescription } from './missing-description.ts';
import { missingName } from './missing-name.ts';
import { nameInBothForms } from './name-in-both-forms.ts';
import { noRoutes } from './no-routes.ts';
import { notAnEndpoint } from './not-an-endpoint.ts';
import { outerName } from './outer-name.ts';
import { providedByImage } from './provided-by-image.ts';
import { reservedName } from './reserved-name.ts';
import { reservedPath } from './reserved-path.ts';
import { routeParameterMismatch } from './route-parameter-mismatch.ts';
import { syntaxError } from './syntax-error.ts';
import { topLevelImport } from './top-level-import.ts';
import { topLevelPeerImport } from './top-level-peer-import.ts';
import { undeclaredDependency } from './undeclared-dependency.ts';
import { unknownCpu } from './unknown-cpu.ts';
import { unknownGpu } from './unknown-gpu.ts';
import { unknownKeyword } from './unknown-keyword.ts';
import { unreadableFile } from './unreadable-file.ts';
import { unsupportedForm } from './unsupported-form.ts';
import { workerQuota } from './worker-quota.ts';

export const RULE_FIXTURES: Record<DiagnosticCode, RuleFixtures> = {
  'duplicate-queue-name': duplicateQueueName,
  'name-in-both-forms': nameInBothForms,
  'top-level-import': topLevelImport,
  'undeclared-dependency': undeclaredDependency,
  'top-level-peer-import': topLevelPeerImport,
  'outer-name': outerName,
  'invalid-cpu': invalidCpu,
  'invalid-workers': invalidWorkers,
  'invalid-argument': invalidArgument,
  'unknown-keyword': unknownKeyword,
  'gpu-and-cpu': gpuAndCpu,
  'syntax-error': syntaxError,
  'unreadable-file': unreadableFile,
  'unknown-gpu': unknownGpu,
  'unknown-cpu': unknownCpu,
  'imports-ignored-file': importsIgnoredFile,
  'reserved-name': reservedName,
  'invalid-name': invalidName,
  'missing-name': missingName,
  'duplicate-route': duplicateRoute,
  'invalid-path': invalidPath,
  'reserved-path': reservedPath,
  'route-parameter-mismatch': routeParameterMismatch,
  'worker-quota': workerQuota,
  'provided-by-image': providedByImage,
  'missing-description': missingDescription,
  'dynamic-value': dynamicValue,
  'many-functions': manyFunctions,
  'no-routes': noRoutes,
  'not-an-endpoint': notAnEndpoint,
  'unsupported-form': unsupportedForm,
  'endpoint-in-function': endpointInFunction,
  'endpoint-as-value': endpointAsValue,
  'hides-standard-module': hidesStandardModule,
};
