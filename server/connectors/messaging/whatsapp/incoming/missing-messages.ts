import { proto, unpadRandomMax16 } from 'baileys';
import type { WAMessage } from 'baileys';
import { pauseAfter } from '#server/platform/backoff.ts';
import type { Growth } from '#server/platform/backoff.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { IncomingMessage } from '../../port.ts';
import type { KeyStore } from '../key-store.ts';

/** A message that could not be read when it came, with the time of that in seconds. */
type Missing = { id: string; remoteJid: string; fromMe: boolean; since: number };

const place = { type: 'missing', id: 'messages' } as const;
const mostAskedFor = 100;
/** Handsets answer for no older ones: `PLACEHOLDER_MAX_AGE_SECONDS` of Baileys. */
const askedForSeconds = 14 * 24 * 60 * 60;

type Options = {
  keys: Pick<KeyStore, 'readOwn' | 'writeOwn'>;
  clock: Clock;
  /** When they are asked for again. */
  growth: Growth;
  signal: AbortSignal;
  /** Asks the handset for these. */
  ask(keys: proto.IMessageKey[]): Promise<unknown>;
  onFailure(error: unknown): void;
};

/**
 * Messages that the handset has and this device could not read. Baileys asks for each once, two seconds after it came: a
 * question or an answer that gets lost loses it, as the message was confirmed. So each connection asks for all again, and
 * goes on asking, ever more rarely.
 */
export class MissingMessages {
  readonly #options: Options;
  readonly #known: Promise<Map<string, Missing>>;
  #timer: NodeJS.Timeout | undefined;
  #asks = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#known = options.keys
      .readOwn(place.type, [place.id])
      .then((found) => new Map(((found.get(place.id) ?? []) as Missing[]).map((each) => [each.id, each])));
    // Callers that need the list get its failure.
    this.#known.catch(() => undefined);
    options.signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  /**
   * Resolves once it will be stored with the keys that are stored next; rejects where the connection stores no more: the
   * message must not be confirmed, and comes again.
   */
  async add({ networkId: id, peer: { number, lid }, isFromHandset }: IncomingMessage): Promise<void> {
    const known = await this.#known;
    const remoteJid = number === undefined ? `${lid}@lid` : `${number}@s.whatsapp.net`;
    known.set(id, { id, remoteJid, fromMe: isFromHandset, since: this.#seconds() });
    const [oldest] = known.keys();
    if (known.size > mostAskedFor && oldest !== undefined) known.delete(oldest);
    if (!this.#write(known)) throw new Error('The connection is over');
    this.#askLater();
  }

  /** The message came. Where this is lost, the handset is asked once more, and its answer changes nothing. */
  async found(id: string): Promise<void> {
    const known = await this.#known;
    if (known.delete(id)) this.#write(known);
  }

  async askAgain(): Promise<void> {
    try {
      const known = await this.#known;
      const oldest = this.#seconds() - askedForSeconds;
      for (const { id, since } of known.values()) if (since < oldest) known.delete(id);
      if (known.size === 0) return void (this.#asks = 0);
      await this.#options.ask([...known.values()].map(({ id, remoteJid, fromMe }) => ({ id, remoteJid, fromMe })));
    } catch (error) {
      this.#options.onFailure(error);
    }
    this.#askLater();
  }

  #askLater(): void {
    const { signal, growth } = this.#options;
    if (signal.aborted || this.#timer) return;
    this.#asks += 1;
    const again = () => {
      this.#timer = undefined;
      void this.askAgain();
    };
    this.#timer = setTimeout(again, pauseAfter(this.#asks, growth)).unref();
  }

  #seconds = () => Math.floor(this.#options.clock.now().getTime() / 1000);

  /** False: it comes too late. */
  #write(known: ReadonlyMap<string, Missing>): boolean {
    return this.#options.keys.writeOwn(place.type, place.id, known.size > 0 ? [...known.values()] : null);
  }
}

/** The messages that a message of the handset's brings, as it was asked for them; those that cannot be read are left out. */
export function readAnswers(plaintext: Uint8Array): WAMessage[] {
  const { protocolMessage } = proto.Message.decode(unpadRandomMax16(plaintext));
  const results = protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? [];
  return results.flatMap(({ placeholderMessageResendResponse: answer }) => {
    if (!answer?.webMessageInfoBytes) return [];
    try {
      return [proto.WebMessageInfo.decode(answer.webMessageInfoBytes) as WAMessage];
    } catch {
      return [];
    }
  });
}
