import type { BinaryNode, WASocket } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';

/** How to reach the servers that keep media, until `expiresAtMs`. */
export type MediaHosts = { auth: string; hosts: readonly string[]; expiresAtMs: number };

const maxHosts = 5;
const longestMs = 60 * 60_000;

/**
 * The servers for media, asked for when they are needed and anew once their time is over, or one refuses the key. A
 * question that fails is forgotten: the next upload asks again.
 */
export class MediaConnection {
  readonly #sock: Pick<WASocket, 'query'>;
  readonly #clock: Clock;
  #current: Promise<MediaHosts> | undefined;

  constructor(sock: Pick<WASocket, 'query'>, clock: Clock) {
    this.#sock = sock;
    this.#clock = clock;
  }

  /** `not` is what was refused, and is not given again. */
  async get(not?: MediaHosts): Promise<MediaHosts> {
    const current = await this.#current?.catch(() => undefined);
    if (current && current !== not && current.expiresAtMs > this.#clock.now().getTime()) return current;
    const asked = this.#ask();
    this.#current = asked;
    asked.catch(() => {
      if (this.#current === asked) this.#current = undefined;
    });
    return asked;
  }

  async #ask(): Promise<MediaHosts> {
    const answer = (await this.#sock.query({
      tag: 'iq',
      attrs: { type: 'set', xmlns: 'w:m', to: 's.whatsapp.net' },
      content: [{ tag: 'media_conn', attrs: {} }],
    })) as BinaryNode;
    const parts = Array.isArray(answer.content) ? answer.content : [];
    const connection = parts.find(({ tag }) => tag === 'media_conn');
    const children = Array.isArray(connection?.content) ? connection.content : [];
    const hosts = children.flatMap(({ tag, attrs }) => (tag === 'host' && attrs.hostname ? [attrs.hostname] : []));
    const { auth, ttl } = connection?.attrs ?? {};
    if (!auth || hosts.length === 0) throw new Error('WhatsApp named no server for media');
    const ttlMs = Number(ttl) > 0 ? Math.min(Number(ttl) * 1000, longestMs) : 0;
    return { auth, hosts: hosts.slice(0, maxHosts), expiresAtMs: this.#clock.now().getTime() + ttlMs };
  }
}
