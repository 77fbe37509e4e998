import { Curve } from 'baileys';
import { expect, test } from 'vitest';
import { generateKeyPair, isSignedBy as libraryVerdict, sign } from '#tests/whatsapp/crypto.ts';
import { enforceSignatures, isSignedBy } from './verify-signatures.ts';

const message = Buffer.from('what was signed');

test('accepts what the Signal library signs', () => {
  for (let round = 0; round < 20; round += 1) {
    const { publicKey, privateKey } = generateKeyPair();
    const signature = sign(privateKey, message);
    expect(isSignedBy(publicKey, message, signature)).toBe(true);
    expect(isSignedBy(Buffer.concat([Buffer.from([5]), publicKey]), message, signature)).toBe(true);
    expect(libraryVerdict(publicKey, message, signature)).toBe(true);
  }
});

test('refuses a spoiled bit anywhere, another key, another message, a short signature', () => {
  const { publicKey, privateKey } = generateKeyPair();
  const signature = sign(privateKey, message);
  for (const position of [0, 5, 31, 32, 62, 63]) {
    const spoiled = Buffer.from(signature);
    spoiled.writeUInt8(spoiled.readUInt8(position) ^ 0x40, position);
    expect(isSignedBy(publicKey, message, spoiled)).toBe(false);
  }
  expect(isSignedBy(generateKeyPair().publicKey, message, signature)).toBe(false);
  expect(isSignedBy(publicKey, Buffer.from('something else'), signature)).toBe(false);
  expect(isSignedBy(publicKey, message, signature.subarray(1))).toBe(false);
  expect(isSignedBy(publicKey.subarray(1), message, signature)).toBe(false);
});

test('Baileys verifies through it', () => {
  const { publicKey, privateKey } = generateKeyPair();
  const signature = sign(privateKey, message);
  enforceSignatures();
  expect(Curve.verify(publicKey, message, signature)).toBe(true);
  expect(Curve.verify(generateKeyPair().publicKey, message, signature)).toBe(false);
});
