/** Keys and tokens: 256 random bits, stored only as sha256, compared in constant time. */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new key or token, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Hex sha256, as stored. A fast hash is enough because secrets are 256 random bits. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares two hashes in constant time. */
export function equalHashes(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/**
 * A secret derived from the platform's own, such as an environment's worker key or the signature of an
 * upload.
 */
export function deriveSecret(platformSecret: string, purpose: string): string {
  return createHmac('sha256', platformSecret).update(purpose).digest('base64url');
}

/** Compares two texts in constant time. */
export function equalSecrets(left: string, right: string): boolean {
  return equalHashes(hashSecret(left), hashSecret(right));
}
