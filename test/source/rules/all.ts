/** Code → its fixtures, in the order of the table of codes. */
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import * as duplicateQueueName from './duplicate-queue-name.ts';
import * as duplicateRoute from './duplicate-route.ts';
import * as dynamicValue from './dynamic-value.ts';
import type { RuleFixtures } from './fixtures.ts';
import * as gpuAndCpu from './gpu-and-cpu.ts';
import * as hidesStandardModule from './hides-standard-module.ts';
import * as importsIgnoredFile from './imports-ignored-file.ts';
import * as invalidArgument from './invalid-argument.ts';
import * as invalidCpu from './invalid-cpu.ts';
import * as invalidName from './invalid-name.ts';
import * as invalidPath from './invalid-path.ts';
import * as invalidWorkers from './invalid-workers.ts';
import * as manyFunctions from './many-functions.ts';
import * as missingDescription from './missing-description.ts';
import * as missingName from './missing-name.ts';
import * as nameInBothForms from './name-in-both-forms.ts';
import * as noRoutes from './no-routes.ts';
import * as notAnEndpoint from './not-an-endpoint.ts';
import * as outerName from './outer-name.ts';
import * as providedByImage from './provided-by-image.ts';
import * as reservedName from './reserved-name.ts';
import * as reservedPath from './reserved-path.ts';
import * as routeParameterMismatch from './route-parameter-mismatch.ts';
import * as syntaxError from './syntax-error.ts';
import * as topLevelImport from './top-level-import.ts';
import * as topLevelPeerImport from './top-level-peer-import.ts';
import * as undeclaredDependency from './undeclared-dependency.ts';
import * as unknownCpu from './unknown-cpu.ts';
import * as unknownGpu from './unknown-gpu.ts';
import * as unknownKeyword from './unknown-keyword.ts';
import * as unreadableFile from './unreadable-file.ts';
import * as unsupportedForm from './unsupported-form.ts';
import * as workerQuota from './worker-quota.ts';

export const RULE_FIXTURES: Partial<Record<DiagnosticCode, RuleFixtures>> = {
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
  'hides-standard-module': hidesStandardModule,
};
