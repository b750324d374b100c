/** The secret that the platform and its node agents share, and the file in which agents find it. */
import path from 'node:path';
import { AGENT_FILES } from '../../contract/agentProtocol.ts';
import { writeFileAtomic } from '../writeFileAtomic.ts';
import { deriveSecret } from './secret.ts';

/**
 * Writes the file, before an agent is heard.
 *
 * @param folder The platform's, which user code does not see.
 * @param platformSecret The agents' follows from it, so that agents that outlive the platform know the next one's.
 */
export async function writeAgentSecret(folder: string, platformSecret: string): Promise<string> {
  const secret = deriveSecret(platformSecret, 'agents');
  await writeFileAtomic(path.join(folder, AGENT_FILES.token), `${secret}\n`);
  return secret;
}
