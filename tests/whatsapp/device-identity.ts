/**
 * The proof that makes a device part of an account: signatures both ways, and the secret that only the person at the
 * handset passes on.
 */
import { randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import type { Account } from './account.ts';
import { spoil } from './certificates.ts';
import { agree, decryptGcm, hkdf, hmacSha256, isSignedBy, sign } from './crypto.ts';
import { bytesOf, child, nowSeconds } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import type { ScanOptions } from './pairing.ts';

const accountSignaturePrefix = Buffer.from([6, 0]);
const deviceSignaturePrefix = Buffer.from([6, 1]);

/** The account's word for the device, sealed with the secret only the QR code (or the typed code) carries. */
export function vouchFor(
  identity: Buffer,
  number: number,
  account: Account,
  secret: Buffer,
  options: ScanOptions,
): Buffer {
  const details = Buffer.from(
    proto.ADVDeviceIdentity.encode({
      rawId: randomBytes(4).readUInt32BE(),
      timestamp: nowSeconds(),
      keyIndex: number,
      accountType: 0,
      deviceType: 0,
    }).finish(),
  );
  const { privateKey, publicKey } = account.party.identity;
  const accountSignature = sign(privateKey, Buffer.concat([accountSignaturePrefix, details, identity]));
  if (options.badSignature) spoil(accountSignature);
  const signed = Buffer.from(
    proto.ADVSignedDeviceIdentity.encode({ details, accountSignatureKey: publicKey, accountSignature }).finish(),
  );
  const hmac = hmacSha256(options.badHmac ? randomBytes(32) : secret, signed);
  return Buffer.from(proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac, accountType: 0 }).finish());
}

export function requireDeviceSignature(reply: BinaryNode, identity: Buffer, account: Account): void {
  const answer = child(child(reply, 'pair-device-sign'), 'device-identity');
  const { details, deviceSignature } = proto.ADVSignedDeviceIdentity.decode(bytesOf(answer));
  const signed = Buffer.concat([
    deviceSignaturePrefix,
    details ?? Buffer.alloc(0),
    identity,
    account.party.identity.publicKey,
  ]);
  if (!isSignedBy(identity, signed, deviceSignature ?? Buffer.alloc(0))) throw new Error('Bad device signature');
}

/** Opens what the device sealed after the code was typed, and derives the secret both sides now share. */
export function openKeyBundle(bundle: Buffer, shared: Buffer, identityPrivateKey: Buffer): Buffer {
  const key = hkdf(shared, 32, bundle.subarray(0, 32), 'link_code_pairing_key_bundle_encryption_key');
  const opened = decryptGcm(key, bundle.subarray(32, 44), bundle.subarray(44), Buffer.alloc(0));
  const companionIdentity = opened.subarray(0, 32);
  const random = opened.subarray(64, 96);
  const identityShared = agree(identityPrivateKey, companionIdentity);
  return hkdf(Buffer.concat([shared, identityShared, random]), 32, Buffer.alloc(32), 'adv_secret');
}
