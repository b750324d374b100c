/** The secret that the platform shares with its node agents, and the file that agents read it from. */
import path from 'node:path';
import { AGENT_FILES } from '../../contract/agentProtocol.ts';
import { writeFileAtomic } from '../writeFileAtomic.ts';
import { deriveSecret } from './secret.ts';

/**
 * Writes the file. Must run before agents can connect.
 *
 * @param folder The platform's folder, which is hidden from user code.
 * @param platformSecret The agents' secret is derived from it, so that agents that outlive the platform know
 * the secret of the next one.
 */
export async function writeAgentSecret(folder: string, platformSecret: string): Promise<string> {
  const secret = deriveSecret(platformSecret, 'agents');
  await writeFileAtomic(path.join(folder, AGENT_FILES.token), `${secret}\n`);
  return secret;
}
