/** Reads the argument of the platform's process. */
import * as z from 'zod/mini';
import { ToolkitError } from '../contract/errors.ts';
import { DRIVERS, GPU_MODES, type PlatformOptions } from '../contract/platformOptions.ts';

const schema = z.object({
  home: z.string(),
  port: z.nullable(z.int().check(z.gte(0), z.lte(65_535))),
  host: z.string(),
  advertise: z.nullable(z.url()),
  driver: z.enum(DRIVERS),
  gpu: z.enum(GPU_MODES),
  quota: z.int().check(z.nonnegative()),
  version: z.string(),
  workerPackage: z.string(),
  python: z.nullable(z.string()),
  uv: z.nullable(z.string()),
  allowPrivateWebhooks: z.boolean(),
  maxWaitingBytes: z.int().check(z.positive()),
});

/**
 * @throws ToolkitError USAGE naming the invalid field, SETTING_UNSUPPORTED for a driver that is not
 * implemented.
 */
export function readPlatformOptions(argument: string | undefined): PlatformOptions {
  let json: unknown;
  try {
    json = JSON.parse(argument ?? '');
  } catch (error) {
    throw new ToolkitError('USAGE', 'The platform takes one argument: its options as JSON.', {
      cause: error,
    });
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ToolkitError(
      'USAGE',
      `The platform option ${issue.path.join('.')} is invalid: ${issue.message}.`,
    );
  }
  if (parsed.data.driver !== 'process') {
    throw new ToolkitError(
      'SETTING_UNSUPPORTED',
      `This version does not support the driver "${parsed.data.driver}".`,
      {
        hint: 'Set the option "driver" to "process".',
      },
    );
  }
  return parsed.data;
}
