/**
 * The Signal library that Baileys brings along, found from where Baileys finds it. Contacts and handsets of the
 * stand-in run it for real: what they show is what a receiver could decrypt.
 */
import { createRequire } from 'node:module';

export type SignalKeyPair = { pubKey: Buffer; privKey: Buffer };

export type SerializedSession = { readonly version: string };

export type SessionRecord = { haveOpenSession(): boolean; serialize(): SerializedSession };

export type SignalStorage = {
  loadSession(address: string): Promise<SessionRecord | undefined>;
  storeSession(address: string, record: SessionRecord): Promise<void>;
  isTrustedIdentity(): boolean;
  loadPreKey(id: number | string): Promise<SignalKeyPair | undefined>;
  removePreKey(id: number): void;
  loadSignedPreKey(): SignalKeyPair;
  getOurRegistrationId(): number;
  getOurIdentity(): SignalKeyPair;
};

export type PreKeyBundle = {
  registrationId: number;
  identityKey: Buffer;
  signedPreKey: { keyId: number; publicKey: Buffer; signature: Buffer };
  preKey: { keyId: number; publicKey: Buffer } | undefined;
};

type Address = { toString(): string };

type Session = { serialize(): object };
type Decrypted = { session: Session; plaintext: Buffer };

type SignalLibrary = {
  SessionRecord: { deserialize(serialized: SerializedSession): SessionRecord };
  ProtocolAddress: new (user: string, device: number) => Address;
  SessionBuilder: new (
    storage: SignalStorage,
    address: Address,
  ) => { initOutgoing(bundle: PreKeyBundle): Promise<void> };
  SessionCipher: new (
    storage: SignalStorage,
    address: Address,
  ) => {
    encrypt(plaintext: Buffer): Promise<{ type: number; body: string }>;
    decryptPreKeyWhisperMessage(ciphertext: Buffer): Promise<Buffer>;
    decryptWhisperMessage(ciphertext: Buffer): Promise<Buffer>;
    decryptWithSessions(ciphertext: Buffer, sessions: Session[]): Promise<Decrypted>;
  };
  curve: {
    generateKeyPair(): SignalKeyPair;
    calculateAgreement(publicKey: Buffer, privateKey: Buffer): Buffer;
    calculateSignature(privateKey: Buffer, message: Buffer): Buffer;
    verifySignature(publicKey: Buffer, message: Buffer, signature: Buffer): boolean;
  };
};

const requireFromBaileys = createRequire(import.meta.resolve('baileys'));

export const libsignal = requireFromBaileys('libsignal') as SignalLibrary;

/** As in other clients, a session that a message does not fit stays as it was. */
export class SessionCipher extends libsignal.SessionCipher {
  override async decryptWithSessions(ciphertext: Buffer, sessions: Session[]): Promise<Decrypted> {
    for (const session of sessions) {
      const before = session.serialize();
      try {
        return await super.decryptWithSessions(ciphertext, [session]);
      } catch {
        const { deserialize } = session.constructor as unknown as { deserialize(from: object): Session };
        Object.assign(session, deserialize.call(session.constructor, before));
      }
    }
    throw new Error('No session with the sender fits the message');
  }
}
