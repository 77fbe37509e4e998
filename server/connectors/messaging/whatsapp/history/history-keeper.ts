import { createHash } from 'node:crypto';
import { proto } from 'baileys';
import { pauseAfter } from '#server/platform/backoff.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { HistoryNews } from '../../port.ts';
import type { ReadingOptions } from '../incoming/read-message.ts';
import type { KeyStore } from '../key-store.ts';
import type { Findings } from './findings.ts';
import type { HistoryOptions } from './read-history.ts';
import { readHistory } from './read-history.ts';
import { readChat } from './read-chat.ts';

type Notification = proto.Message.IHistorySyncNotification;

/** A piece whose chats are wanted, kept until all of it is stored: the notification, base64. */
type Pending = { id: string; shared: string; since: number; attempts: number };

export type HistoryKeeperOptions = Pick<HistoryOptions, 'mediaOrigin' | 'agent' | 'signal'> & {
  keys: Pick<KeyStore, 'readOwn' | 'writeOwn'>;
  reading: ReadingOptions;
  logger: Logger;
  /** Addresses, tokens and the like; nothing depends on them. */
  onFindings(findings: Findings): Promise<void>;
  takesSince(): Promise<Date | undefined>;
  onHistory(news: HistoryNews): Promise<boolean>;
};

const place = { type: 'history', id: 'pending' } as const;
/** A handset shares some tens. */
const maxPending = 200;
const maxInlineBytes = 2 * 2 ** 20;
/** Of all that wait, in base64: they are read and written as one. */
const maxPendingBytes = 16 * 2 ** 20;
const maxAttempts = 6;
/** Some 15 minutes for all attempts. */
const again = { firstMs: 30_000, longestMs: 3_600_000 };

const { INITIAL_BOOTSTRAP, RECENT, FULL } = proto.HistorySync.HistorySyncType;
const typesWithChats: readonly unknown[] = [INITIAL_BOOTSTRAP, RECENT, FULL];
/** The first ones of each chat come beforehand; their progress is their own. */
const typesBeforehand: readonly unknown[] = [INITIAL_BOOTSTRAP];

/**
 * Takes what a handset shares after linking. Chats that are wanted are noted before the handset's message is confirmed, and
 * read one piece after the other: what a connection left behind is read by the next, from its beginning.
 */
export class HistoryKeeper {
  readonly #options: HistoryKeeperOptions;
  #isReading = false;
  /** Another piece was noted meanwhile. */
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: HistoryKeeperOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => clearTimeout(this.#timer));
  }

  /** Resolves once it is noted where its chats are wanted, else at once; rejects where it must come again. */
  async take(shared: Notification): Promise<void> {
    const since = hasChats(shared) ? await this.#options.takesSince() : undefined;
    const isNoted = since !== undefined && (await this.#inTurn(() => this.#note(shared, since)));
    if (isNoted) this.resume();
    else void this.#readFindings(shared);
  }

  /** False: too many wait, or too much. */
  async #note(shared: Notification, since: Date): Promise<boolean> {
    const pending = await this.#pending();
    if (pending.length >= maxPending) return false;
    const bytes = proto.Message.HistorySyncNotification.encode(shared).finish();
    const id = createHash('sha256').update(bytes).digest('base64');
    if (pending.some((each) => each.id === id)) return true;
    const piece = { id, shared: Buffer.from(bytes).toString('base64'), since: Math.floor(since.getTime() / 1000) };
    if (pending.reduce((sum, each) => sum + each.shared.length, piece.shared.length) > maxPendingBytes) return false;
    if (pending.length === 0) await this.#options.onHistory({ kind: 'begun' });
    this.#write([...pending, { ...piece, attempts: 0 }]);
    return true;
  }

  /** Pieces are noted and taken out one at a time, so that none is lost, and none that waits is told to be over. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Goes on with what is noted. */
  resume(): void {
    clearTimeout(this.#timer);
    if (this.#isReading) return void (this.#isAsked = true);
    this.#isReading = true;
    void this.#readPending().finally(() => {
      this.#isReading = false;
      if (!this.#isAsked) return;
      this.#isAsked = false;
      this.resume();
    });
  }

  async #readPending(): Promise<void> {
    const { signal, logger } = this.#options;
    try {
      for (let next = await this.#next(); next && !signal.aborted; next = await this.#next()) {
        if (!(await this.#readPiece(next))) return this.#later(next.attempts);
      }
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'a history could not be taken');
      this.#later(0);
    }
  }

  /** False: it is tried again later. */
  async #readPiece(piece: Pending): Promise<boolean> {
    const { signal, logger, onHistory, reading } = this.#options;
    const shared = proto.Message.HistorySyncNotification.decode(Buffer.from(piece.shared, 'base64'));
    const { syncType, progress } = shared;
    const percent = typesBeforehand.includes(syncType) ? undefined : (progress ?? undefined);
    let goesOn = true;
    try {
      await this.#read(shared, piece.since, async (findings) => {
        await this.#options.onFindings(findings);
        for (const chat of findings.chats) {
          for await (const part of readChat(reading, chat)) {
            if (signal.aborted) throw new Error('The connection is over');
            goesOn = goesOn && (await onHistory(part));
          }
        }
      });
    } catch (error) {
      if (signal.aborted) return false;
      logger.warn({ err: error, attempts: piece.attempts }, 'a history could not be read');
      // The store is at fault, and not the piece.
      if (isTransient(error)) return false;
      const isLost = piece.attempts + 1 >= maxAttempts;
      await this.#inTurn(async () => {
        if (isLost) await onHistory({ kind: 'piece', percent, isLost, isLast: await this.#isLast() });
        await this.#change(piece.id, isLost ? undefined : { ...piece, attempts: piece.attempts + 1 });
      });
      return isLost;
    }
    await this.#inTurn(async () => {
      if (goesOn) await onHistory({ kind: 'piece', percent, isLost: false, isLast: await this.#isLast() });
      if (goesOn) await this.#change(piece.id, undefined);
      else this.#write([]);
    });
    return true;
  }

  #later(attempts: number): void {
    if (this.#options.signal.aborted) return;
    this.#timer = setTimeout(() => this.resume(), pauseAfter(attempts + 1, again));
    this.#timer.unref();
  }

  async #readFindings(shared: Notification): Promise<void> {
    const { signal, logger, onFindings } = this.#options;
    await this.#read(shared, undefined, onFindings).catch((error: unknown) => {
      if (!signal.aborted) logger.warn({ err: error }, 'a history could not be read');
    });
  }

  #read(shared: Notification, since: number | undefined, onFindings: HistoryOptions['onFindings']): Promise<void> {
    const { mediaOrigin, agent, signal } = this.#options;
    return readHistory(shared, { mediaOrigin, agent, signal, since, onFindings });
  }

  async #pending(): Promise<Pending[]> {
    return ((await this.#options.keys.readOwn(place.type, [place.id])).get(place.id) ?? []) as Pending[];
  }

  #next = async (): Promise<Pending | undefined> => (await this.#pending())[0];
  #isLast = async (): Promise<boolean> => (await this.#pending()).length <= 1;

  async #change(id: string, change: Pending | undefined): Promise<void> {
    const others = (await this.#pending()).filter((each) => each.id !== id);
    this.#write(change ? [...others, change] : others);
  }

  /** Throws where the connection is over: a piece that is not noted must come again. */
  #write(pending: Pending[]): void {
    const isTaken = this.#options.keys.writeOwn(place.type, place.id, pending.length > 0 ? pending : null);
    if (!isTaken) throw new Error('The connection is over');
  }
}

const hasChats = ({ syncType, initialHistBootstrapInlinePayload: inline }: Notification): boolean =>
  typesWithChats.includes(syncType) && (inline?.length ?? 0) <= maxInlineBytes;
