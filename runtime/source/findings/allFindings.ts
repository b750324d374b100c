/** The rules: the same for the editor, `check`, build and deploy. */
import { duplicateQueueName } from './duplicate-queue-name.ts';
import { duplicateRoute } from './duplicate-route.ts';
import { dynamicValue } from './dynamic-value.ts';
import { endpointAsValue } from './endpoint-as-value.ts';
import { endpointInFunction } from './endpoint-in-function.ts';
import type { Rule } from './Finding.ts';
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
import { unsupportedForm } from './unsupported-form.ts';
import { workerQuota } from './worker-quota.ts';

export const RULES: readonly Rule[] = [
  duplicateQueueName,
  duplicateRoute,
  dynamicValue,
  endpointAsValue,
  endpointInFunction,
  gpuAndCpu,
  hidesStandardModule,
  importsIgnoredFile,
  invalidArgument,
  invalidCpu,
  invalidName,
  invalidPath,
  invalidWorkers,
  manyFunctions,
  missingDescription,
  missingName,
  nameInBothForms,
  noRoutes,
  notAnEndpoint,
  outerName,
  providedByImage,
  reservedName,
  reservedPath,
  routeParameterMismatch,
  syntaxError,
  topLevelImport,
  topLevelPeerImport,
  undeclaredDependency,
  unknownCpu,
  unknownGpu,
  unknownKeyword,
  unsupportedForm,
  workerQuota,
];
