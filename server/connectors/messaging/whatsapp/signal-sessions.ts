import { createRequire } from 'node:module';

type Session = { indexInfo: { used: number }; serialize(): object };

type Cipher = {
  doDecryptWhisperMessage(message: Uint8Array, session: Session): Promise<Buffer>;
  decryptWithSessions(message: Uint8Array, sessions: readonly Session[]): Promise<Decrypted>;
};

type Decrypted = { session: Session; plaintext: Buffer };

type SignalLibrary = {
  SessionCipher: { prototype: Cipher };
  SessionError: new (message: string) => Error;
  MessageCounterError: new (message: string) => Error;
};

/** Baileys brings it along. */
const libsignal = createRequire(import.meta.resolve('baileys'))('libsignal') as SignalLibrary;

/**
 * libsignal 6.0.0 tries a message on every session there is with its sender, and each try changes the session even
 * where it fails: once a later one fits, those before it are stored spoilt, and what comes in them can be read no more.
 * Here a try that fails leaves nothing behind. And it says which message had been decrypted before, which libsignal
 * keeps to itself.
 */
export function keepSessionsWhole(): void {
  libsignal.SessionCipher.prototype.decryptWithSessions = async function decryptWithSessions(message, sessions) {
    for (const session of sessions) {
      const before = session.serialize();
      try {
        const plaintext = await this.doDecryptWhisperMessage(message, session);
        session.indexInfo.used = Date.now();
        return { session, plaintext };
      } catch (error) {
        if (wasDecryptedBefore(error)) throw error;
        Object.assign(session, copyOf(session, before));
      }
    }
    throw new libsignal.SessionError('No session with the sender fits the message');
  };
}

/** The key for a message is stored as used only after the message itself: this one is here. */
export function wasDecryptedBefore(error: unknown): boolean {
  return error instanceof libsignal.MessageCounterError;
}

function copyOf(session: Session, serialized: object): Session {
  const { deserialize } = session.constructor as unknown as { deserialize(this: unknown, from: object): Session };
  return deserialize.call(session.constructor, serialized);
}
