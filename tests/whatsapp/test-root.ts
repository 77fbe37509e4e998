import { createHash } from 'node:crypto';
import { WA_CERT_DETAILS } from 'baileys';
import { keyPairFromPrivate } from './crypto.ts';

/** The stand-in's own certificate authority. Its private key is public on purpose: nothing outside tests trusts it. */
export const testRoot = keyPairFromPrivate(createHash('sha256').update('WhatsApp stand-in test root').digest());

/** Makes this process trust the stand-in instead of WhatsApp. The product has no setting that does this. */
export function trustTestRoot(): void {
  WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(testRoot.publicKey);
}
