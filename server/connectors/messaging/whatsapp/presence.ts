import { isLidUser, isPnUser, jidDecode } from 'baileys';
import type { BinaryNode, WASocket } from 'baileys';
import type { Logger } from '#server/platform/logger.ts';
import { isStorableId } from '../network-values.ts';
import type { Peer } from '../port.ts';

export type PresenceTimes = {
  /** Without anybody who has a conversation open. */
  awayAfterMs: number;
  /** Without another word that somebody types. */
  typingLastsMs: number;
};

export const presenceTimes: PresenceTimes = { awayAfterMs: 60_000, typingLastsMs: 15_000 };

/** Of one phone; whoever was looked at longest ago gives way. */
const maxAttended = 50;

type PresenceOptions = {
  sock: Pick<WASocket, 'sendPresenceUpdate' | 'presenceSubscribe'> & {
    signalRepository: Pick<WASocket['signalRepository'], 'lidMapping'>;
  };
  times: PresenceTimes;
  logger: Logger;
  addressOf(peer: Peer): string | Promise<string>;
  onTyping(peer: Peer, isTyping: boolean): void;
  onOnline(peer: Peer, online: { isOnline: boolean; lastSeen: Date | null }): void;
};

/** `typingEnds` is there while the contact is shown that somebody types. */
type Attended = { jid: string; typingEnds: NodeJS.Timeout | undefined };

/**
 * Tracks who is online and who types, for one connection. WhatsApp tells of typing only who is online, and only of
 * contacts that were asked for; while a linked device is online, the handset may keep silent. So it is online while
 * somebody looks.
 */
export class Presence {
  readonly #options: PresenceOptions;
  /** In the order in which they were looked at last. */
  readonly #attended = new Map<string, Attended>();
  #isOnline = false;
  #isStopped = false;
  #awayTimer: NodeJS.Timeout | undefined;
  /** Requests run one after the other, in the order they were made. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  /** Somebody has the conversation open, and is typing or not. */
  attend(peer: Peer, isTyping: boolean): void {
    this.#queue(async () => {
      const jid = await this.#options.addressOf(peer);
      await this.#comeOnline();
      const attended = await this.#look(jid);
      await (isTyping ? this.#type(attended) : this.#pause(attended));
    });
  }

  /** Contacts' presence is read off the node itself: Baileys holds its own events back while it synchronizes. */
  handleNode({ tag, attrs, content }: BinaryNode): void {
    const { from = '', participant, type } = attrs;
    if (participant || !(isPnUser(from) || isLidUser(from))) return;
    if (tag === 'presence' && (type === undefined || type === 'available' || type === 'unavailable')) {
      const isOnline = type !== 'unavailable';
      if (!isOnline) void this.#tell(from, (peer) => this.#options.onTyping(peer, false));
      const lastSeen = isOnline ? null : lastSeenOf(attrs.last);
      void this.#tell(from, (peer) => this.#options.onOnline(peer, { isOnline, lastSeen }));
    }
    if (tag !== 'chatstate') return;
    const state = Array.isArray(content) ? content[0]?.tag : undefined;
    if (state === 'composing' || state === 'paused')
      void this.#tell(from, (peer) => this.#options.onTyping(peer, state === 'composing'));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#awayTimer);
    for (const { typingEnds } of this.#attended.values()) clearTimeout(typingEnds);
    this.#attended.clear();
  }

  async #comeOnline(): Promise<void> {
    clearTimeout(this.#awayTimer);
    this.#awayTimer = setTimeout(() => this.#queue(() => this.#goAway()), this.#options.times.awayAfterMs);
    if (this.#isOnline) return;
    this.#isOnline = true;
    await this.#options.sock.sendPresenceUpdate('available');
  }

  async #goAway(): Promise<void> {
    this.#isOnline = false;
    for (const attended of this.#attended.values()) await this.#pause(attended);
    this.#attended.clear();
    await this.#options.sock.sendPresenceUpdate('unavailable');
  }

  async #look(jid: string): Promise<Attended> {
    const known = this.#attended.get(jid);
    const attended = known ?? { jid, typingEnds: undefined };
    this.#attended.delete(jid);
    this.#attended.set(jid, attended);
    if (!known) await this.#options.sock.presenceSubscribe(jid);
    const [oldest] = this.#attended.values();
    if (this.#attended.size > maxAttended && oldest) {
      this.#attended.delete(oldest.jid);
      await this.#pause(oldest);
    }
    return attended;
  }

  async #type(attended: Attended): Promise<void> {
    clearTimeout(attended.typingEnds);
    const ends = () => this.#queue(() => this.#pause(attended));
    attended.typingEnds = setTimeout(ends, this.#options.times.typingLastsMs);
    await this.#options.sock.sendPresenceUpdate('composing', attended.jid);
  }

  async #pause(attended: Attended): Promise<void> {
    if (attended.typingEnds === undefined) return;
    clearTimeout(attended.typingEnds);
    attended.typingEnds = undefined;
    await this.#options.sock.sendPresenceUpdate('paused', attended.jid);
  }

  #queue(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#isStopped ? undefined : work()))
      .catch((error: unknown) => {
        if (!this.#isStopped) this.#options.logger.info({ err: error }, 'that somebody is there could not be shown');
      });
  }

  async #tell(from: string, tell: (peer: Peer) => void): Promise<void> {
    const user = jidDecode(from)?.user ?? '';
    if (!isStorableId(user)) return;
    if (!isLidUser(from)) return tell({ number: user });
    const { lidMapping } = this.#options.sock.signalRepository;
    const address = await lidMapping.getPNForLID(`${user}@lid`).catch(() => null);
    const number = jidDecode(address ?? '')?.user;
    if (this.#isStopped) return;
    tell(number === undefined ? { lid: user } : { number, lid: user });
  }
}

/** Seconds; `deny` and its like where the person tells nobody, or not this account. */
function lastSeenOf(last: string | undefined): Date | null {
  return last !== undefined && /^\d{10}$/.test(last) ? new Date(Number(last) * 1000) : null;
}
