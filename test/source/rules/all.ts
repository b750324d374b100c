/** Code → its fixtures. */
import type { DiagnosticCode } from '../../../runtime/contract/diagnostic.ts';
import * as duplicateQueueName from './duplicate-queue-name.ts';
import type { RuleFixtures } from './fixtures.ts';

export const RULE_FIXTURES: Partial<Record<DiagnosticCode, RuleFixtures>> = {
  'duplicate-queue-name': duplicateQueueName,
};
