import { AsyncLocalStorage } from 'node:async_hooks';
import { addTransactionCapability } from 'baileys';
import type { SignalAuthState, SignalRepositoryWithLIDStore, SocketConfig } from 'baileys';
import { DEFAULT_CONNECTION_CONFIG } from 'baileys';
import { isSignedBy } from './verify-signatures.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

export type SignalRepositoryOptions = {
  keys: SignalAuthState['keys'];
  /**
   * Called around the decryption of one message. The message becomes the bytes it resolves to; the change it makes to
   * the conversation's keys must not be stored before the message is.
   */
  aroundDecryption(ciphertext: Uint8Array, decrypt: () => Promise<Uint8Array>): Promise<Uint8Array>;
};

/** A single attempt: storing happens later, in batches, so that a commit here cannot fail. */
const transactionOptions = { maxCommitRetries: 1, delayBetweenTriesMs: 0 };

/** The decryption of one message, and why the keys for it could not be read. */
type Decryption = { fault?: { error: unknown } };

/**
 * Baileys' own Signal conversations with five differences. A message's keys leave Baileys' transaction as soon as the
 * message is encrypted, and not after it was sent, so that they can be stored before its frame goes out. The signature
 * under the keys a contact publishes is checked, which libsignal leaves out. Incoming messages are watched, and nothing
 * is asked of WhatsApp while one is decrypted. Keys that could not be read are no keys that are not there, as which
 * Baileys takes them: it would begin the conversation anew, or give the message up.
 */
export function createSignalRepository(options: SignalRepositoryOptions): MakeSignalRepository {
  return (auth, logger, pnToLid) => {
    const decrypting = new AsyncLocalStorage<Decryption>();
    const readable: SignalAuthState['keys'] = {
      ...options.keys,
      get: async (type, ids) => {
        try {
          return await options.keys.get(type, ids);
        } catch (error) {
          const decryption = decrypting.getStore();
          if (decryption) decryption.fault = { error };
          throw error;
        }
      },
    };
    const keys = addTransactionCapability(readable, logger, transactionOptions);
    // A question would wait behind the frames that wait for this very decryption, until both are given up.
    const askForLids: typeof pnToLid = (numbers) =>
      decrypting.getStore() ? Promise.resolve([]) : (pnToLid?.(numbers) ?? Promise.resolve([]));
    const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys }, logger, askForLids);
    const injectSession = repository.injectE2ESession.bind(repository);
    const decryptMessage = repository.decryptMessage.bind(repository);
    return Object.assign<SignalRepositoryWithLIDStore, Partial<SignalRepositoryWithLIDStore>>(repository, {
      async injectE2ESession(input) {
        const { identityKey, signedPreKey } = input.session;
        if (!isSignedBy(identityKey, signedPreKey.publicKey, signedPreKey.signature)) {
          throw new Error('The signature under the keys of a contact is not valid');
        }
        await injectSession(input);
      },
      decryptMessage(input) {
        const decryption: Decryption = {};
        const decrypt = async () => {
          const [result] = await Promise.allSettled([decryptMessage(input)]);
          if (decryption.fault) throw decryption.fault.error;
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        };
        return decrypting.run(decryption, () => options.aroundDecryption(input.ciphertext, decrypt));
      },
    });
  };
}
