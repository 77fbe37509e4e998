/** The primitives of the protocol: X25519, XEdDSA, AES-256-GCM, HKDF over SHA-256. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
} from 'node:crypto';
import { libsignal } from './libsignal.ts';

/** An X25519 key pair; `publicKey` is the bare 32 bytes. */
export type KeyPair = { publicKey: Buffer; privateKey: Buffer };

const gcmTagBytes = 16;
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

export const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();

export const hmacSha256 = (key: Buffer, data: Buffer): Buffer => createHmac('sha256', key).update(data).digest();

export function hkdf(secret: Buffer, bytes: number, salt: Buffer, info = ''): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
}

export function encryptGcm(key: Buffer, iv: Buffer, plaintext: Buffer, associated: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associated);
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the tag does not fit. */
export function decryptGcm(key: Buffer, iv: Buffer, sealed: Buffer, associated: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(associated);
  decipher.setAuthTag(sealed.subarray(-gcmTagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(0, -gcmTagBytes)), decipher.final()]);
}

/** Counter mode both ways: it undoes itself. */
export function applyCtr(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-ctr', key, iv);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

export function generateKeyPair(): KeyPair {
  const { pubKey, privKey } = libsignal.curve.generateKeyPair();
  return { publicKey: Buffer.from(pubKey).subarray(1), privateKey: Buffer.from(privKey) };
}

export function keyPairFromPrivate(privateKey: Buffer): KeyPair {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, privateKey]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey, privateKey };
}

/** A public key as the Signal library wants it: with its type byte in front. */
export function withKeyType(publicKey: Uint8Array): Buffer {
  return publicKey.length === 33 ? Buffer.from(publicKey) : Buffer.concat([Buffer.from([5]), publicKey]);
}

export function agree(privateKey: Buffer, publicKey: Uint8Array): Buffer {
  return Buffer.from(libsignal.curve.calculateAgreement(withKeyType(publicKey), privateKey));
}

export const sign = (privateKey: Buffer, message: Buffer): Buffer =>
  Buffer.from(libsignal.curve.calculateSignature(privateKey, message));

export function isSignedBy(publicKey: Uint8Array, message: Buffer, signature: Uint8Array): boolean {
  try {
    return libsignal.curve.verifySignature(withKeyType(publicKey), message, Buffer.from(signature));
  } catch {
    return false;
  }
}

export function bigEndian(value: number, bytes: number): Buffer {
  const encoded = Buffer.alloc(bytes);
  encoded.writeUIntBE(value, 0, bytes);
  return encoded;
}
