/**
 * On machines that hide files but not sockets, any process of this user can connect to the agent's socket. So
 * platform and agent first prove to each other that they have read the secret. Neither sends it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { equalSecrets } from '../auth/secret.ts';

const NONCE_BYTES = 32;
const challengeSchema = z.object({
  type: z.literal('challenge'),
  nonce: z.string().check(z.length(2 * NONCE_BYTES)),
});
const proofSchema = z.object({ type: z.literal('proof'), proof: z.string() });

export class AgentHandshake {
  readonly #secret: string;
  readonly #nonce = randomBytes(NONCE_BYTES).toString('hex');
  /** The nonces of both sides; null until the agent has sent its own. */
  #nonces: string | null = null;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /**
   * Handles a frame from the agent.
   *
   * @returns the response; null once the agent has proved itself.
   * @throws RangeError if the frame is not part of the handshake, or its proof is wrong.
   */
  take(frame: unknown): object | null {
    if (this.#nonces === null) {
      const challenge = challengeSchema.safeParse(frame);
      if (!challenge.success) throw new RangeError('This is not a challenge.');
      this.#nonces = `${challenge.data.nonce}:${this.#nonce}`;
      return { type: 'proof', nonce: this.#nonce, proof: this.#proof('platform') };
    }
    const shown = proofSchema.safeParse(frame);
    if (shown.success && equalSecrets(shown.data.proof, this.#proof('agent'))) return null;
    throw new RangeError('This is not the proof of an agent.');
  }

  /** Differs between the sides, so that neither can send back the other's proof. */
  #proof(side: 'agent' | 'platform'): string {
    return createHmac('sha256', this.#secret).update(`${side}:${this.#nonces}`).digest('hex');
  }
}
