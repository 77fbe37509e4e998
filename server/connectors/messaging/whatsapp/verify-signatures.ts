import { createPublicKey, verify } from 'node:crypto';
import { Curve } from 'baileys';

const fieldPrime = 2n ** 255n - 19n;
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const signBit = 0x80;

/**
 * Whether an X25519 key made this XEdDSA signature: the key is turned into its Edwards form, with the sign the
 * signature carries in its last bit, and the rest is Ed25519 (https://signal.org/docs/specifications/xeddsa/).
 * `publicKey` is 32 bytes, or 33 with Signal's type byte in front. Never throws: what cannot be checked is false.
 */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = publicKey.length === 33 ? publicKey.subarray(1) : publicKey;
  if (key.length !== 32 || signature.length !== 64) return false;
  const plainSignature = Buffer.from(signature);
  const lastByte = plainSignature.readUInt8(63);
  plainSignature.writeUInt8(lastByte & ~signBit, 63);
  const edwardsKey = toEdwards(key);
  edwardsKey.writeUInt8(edwardsKey.readUInt8(31) | (lastByte & signBit), 31);
  try {
    const spki = createPublicKey({ key: Buffer.concat([spkiPrefix, edwardsKey]), format: 'der', type: 'spki' });
    return verify(null, message, spki, plainSignature);
  } catch {
    return false;
  }
}

/** y = (u - 1) / (u + 1). */
function toEdwards(montgomery: Uint8Array): Buffer {
  const u = BigInt(`0x${Buffer.from(montgomery.toReversed()).toString('hex')}`) % 2n ** 255n;
  const y = ((u - 1n + fieldPrime) * power(u + 1n, fieldPrime - 2n)) % fieldPrime;
  return Buffer.from(Buffer.from(y.toString(16).padStart(64, '0'), 'hex').toReversed());
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % fieldPrime;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % fieldPrime;
    square = (square * square) % fieldPrime;
  }
  return result;
}

/**
 * Baileys 7.0.0-rc14 drops the answer of its signature check, so that a forged server certificate or account identity
 * passes. `Curve` is an exported object, and everything in Baileys verifies through it.
 */
export function enforceSignatures(): void {
  Curve.verify = isSignedBy;
}
