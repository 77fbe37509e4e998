/** An end of Signal conversations: a contact's phone or an account's handset, with all its keys in memory. */
import { randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { bigEndian, generateKeyPair, sign, withKeyType } from './crypto.ts';
import type { KeyPair } from './crypto.ts';
import { libsignal, SessionCipher } from './libsignal.ts';
import type { SerializedSession, SessionRecord, SignalStorage } from './libsignal.ts';
import { node } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

export type CipherKind = 'pkmsg' | 'msg';

/** The keys that an end publishes so that others can start a conversation with it. */
export type PublishedKeys = {
  registrationId: number;
  identity: Buffer;
  signedPreKey: { id: number; publicKey: Buffer; signature: Buffer };
  preKey: { id: number; publicKey: Buffer } | undefined;
};

const signedPreKeyId = 1;
const preKeyWhisperType = 3;

export class SignalParty {
  readonly identity = generateKeyPair();
  readonly registrationId = 1 + (randomBytes(2).readUInt16BE() & 0x3ffe);
  readonly #signedPreKey = generateKeyPair();
  readonly #signature = sign(this.identity.privateKey, withKeyType(this.#signedPreKey.publicKey));
  readonly #preKeys = new Map<number, KeyPair>();
  /** Serialized, so that a message that fails to decrypt leaves no trace. */
  readonly #sessions = new Map<string, SerializedSession>();
  readonly #storage = this.#makeStorage();
  #lastPreKeyId = 0;

  /** The children of `<user>` in the answer to a request for this end's keys; uses up one pre-key. */
  publishKeys(): BinaryNode[] {
    const id = ++this.#lastPreKeyId;
    const preKey = generateKeyPair();
    this.#preKeys.set(id, preKey);
    return [
      node('registration', {}, bigEndian(this.registrationId, 4)),
      node('type', {}, Buffer.from([5])),
      node('identity', {}, this.identity.publicKey),
      node('skey', {}, [
        node('id', {}, bigEndian(signedPreKeyId, 3)),
        node('value', {}, this.#signedPreKey.publicKey),
        node('signature', {}, this.#signature),
      ]),
      node('key', {}, [node('id', {}, bigEndian(id, 3)), node('value', {}, preKey.publicKey)]),
    ];
  }

  /** Makes the keys it publishes carry a signature that does not fit. */
  spoilSignedPreKey(): void {
    this.#signature.writeUInt8(this.#signature.readUInt8(5) ^ 1, 5);
  }

  async decrypt(user: string, device: number, kind: CipherKind, ciphertext: Uint8Array): Promise<proto.Message> {
    const cipher = new SessionCipher(this.#storage, addressOf(user, device));
    const sealed = Buffer.from(ciphertext);
    const padded = await (kind === 'pkmsg'
      ? cipher.decryptPreKeyWhisperMessage(sealed)
      : cipher.decryptWhisperMessage(sealed));
    return proto.Message.decode(padded.subarray(0, padded.length - padded.readUInt8(padded.length - 1)));
  }

  hasSession(user: string, device: number): boolean {
    return this.#loadSession(addressOf(user, device).toString())?.haveOpenSession() ?? false;
  }

  async startSession(user: string, device: number, keys: PublishedKeys): Promise<void> {
    const builder = new libsignal.SessionBuilder(this.#storage, addressOf(user, device));
    await builder.initOutgoing({
      registrationId: keys.registrationId,
      identityKey: withKeyType(keys.identity),
      signedPreKey: {
        keyId: keys.signedPreKey.id,
        publicKey: withKeyType(keys.signedPreKey.publicKey),
        signature: keys.signedPreKey.signature,
      },
      preKey: keys.preKey && { keyId: keys.preKey.id, publicKey: withKeyType(keys.preKey.publicKey) },
    });
  }

  /** The message is padded with 1 to 16 bytes that say how many they are. */
  async encrypt(
    user: string,
    device: number,
    message: proto.IMessage,
  ): Promise<{ kind: CipherKind; ciphertext: Buffer }> {
    const padding = 1 + (randomBytes(1).readUInt8(0) & 15);
    const padded = Buffer.concat([proto.Message.encode(message).finish(), Buffer.alloc(padding, padding)]);
    const cipher = new libsignal.SessionCipher(this.#storage, addressOf(user, device));
    const { type, body } = await cipher.encrypt(padded);
    return { kind: type === preKeyWhisperType ? 'pkmsg' : 'msg', ciphertext: Buffer.from(body, 'binary') };
  }

  /** As if the app had been installed anew: nothing under way can be decrypted. */
  forgetSessions(): void {
    this.#sessions.clear();
  }

  #loadSession(address: string): SessionRecord | undefined {
    const serialized = this.#sessions.get(address);
    return serialized && libsignal.SessionRecord.deserialize(serialized);
  }

  #makeStorage(): SignalStorage {
    const pair = (key: KeyPair) => ({ privKey: key.privateKey, pubKey: withKeyType(key.publicKey) });
    return {
      loadSession: async (address) => this.#loadSession(address),
      storeSession: async (address, record) => void this.#sessions.set(address, record.serialize()),
      isTrustedIdentity: () => true,
      loadPreKey: async (id) => {
        const key = this.#preKeys.get(Number(id));
        return key && pair(key);
      },
      removePreKey: (id) => void this.#preKeys.delete(id),
      loadSignedPreKey: () => pair(this.#signedPreKey),
      getOurRegistrationId: () => this.registrationId,
      getOurIdentity: () => pair(this.identity),
    };
  }
}

function addressOf(user: string, device: number) {
  return new libsignal.ProtocolAddress(user, device);
}
