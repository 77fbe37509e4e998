import { isLidUser, isPnUser, jidNormalizedUser } from 'baileys';
import type { BinaryNode } from 'baileys';
import type { MessageCall } from '#contracts/message-content.ts';
import { isStorableId } from '../../network-values.ts';
import type { IncomingMessage } from '../../port.ts';
import { BoundedMap } from '../bounded-map.ts';
import { readEvent } from './read-message.ts';
import type { ReadingOptions } from './read-message.ts';

const maxCalls = 1_000;
/** An offer this old is read out of what waited for the device: nobody hears it ring. */
const ringingMs = 90_000;

type Ringing = { video: boolean; isAccepted: boolean };

/** A call of one person that is over. */
export type FinishedCall = {
  id: string;
  from: string;
  alternative: string | undefined;
  seconds: number;
  call: MessageCall;
};

/**
 * Follows `<call>` stanzas: `offer` (with a child `video`), `accept`, `reject` and `terminate`, each with `call-id` and
 * `call-creator`. A call is told of once, when it is over; an offer that waited at WhatsApp was missed.
 */
export class CallBook {
  readonly #ringing = new BoundedMap<Ringing>(maxCalls);
  readonly #told = new BoundedMap<true>(maxCalls);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A call that rings now, which may be rejected. */
  offered({ attrs, content }: BinaryNode): FinishedCall | undefined {
    const [step] = Array.isArray(content) ? content : [];
    const id = step?.attrs['call-id'];
    const from = jidNormalizedUser(step?.attrs['call-creator'] ?? attrs.from ?? '');
    const isOver = this.#nowMs() - Number(attrs.t) * 1000 > ringingMs;
    if (step?.tag !== 'offer' || !id || isOver || this.#told.has(id) || !this.#ringing.has(id)) return undefined;
    const call = { video: hasVideo(step), outcome: 'rejected', duration_s: null } as const;
    return { id, from, alternative: alternativeOf(step, attrs), seconds: Number(attrs.t), call };
  }

  /** The call was rejected from here: whatever else is said of it says nothing new. */
  rejected({ id }: FinishedCall): void {
    this.#told.set(id, true);
  }

  follow({ attrs, content }: BinaryNode): FinishedCall | undefined {
    const [step] = Array.isArray(content) ? content : [];
    const id = step?.attrs['call-id'];
    const from = jidNormalizedUser(step?.attrs['call-creator'] ?? attrs.from ?? '');
    const isGroup = step?.attrs['group-jid'] !== undefined || step?.attrs.type === 'group';
    if (!step || !id || !isStorableId(id) || isGroup || !(isPnUser(from) || isLidUser(from))) return undefined;
    const outcome = this.#take(id, step, Number(attrs.t));
    if (!outcome || this.#told.has(id)) return undefined;
    this.#told.set(id, true);
    const { video } = this.#ringing.get(id) ?? { video: hasVideo(step) };
    const duration = Number(step.attrs.duration);
    const isKnown = outcome === 'ended' && Number.isSafeInteger(duration) && duration > 0;
    return {
      id,
      from,
      alternative: alternativeOf(step, attrs),
      seconds: Number(attrs.t),
      call: { video, outcome, duration_s: isKnown ? duration : null },
    };
  }

  #take(id: string, step: BinaryNode, seconds: number): MessageCall['outcome'] | undefined {
    const known = this.#ringing.get(id);
    switch (step.tag) {
      case 'offer':
      case 'offer_notice':
        this.#ringing.set(id, { video: hasVideo(step), isAccepted: false });
        return this.#nowMs() - seconds * 1000 > ringingMs ? 'missed' : undefined;
      case 'accept':
        this.#ringing.set(id, { video: known?.video ?? hasVideo(step), isAccepted: true });
        return undefined;
      case 'reject':
        return 'rejected';
      case 'terminate': {
        const { reason = '' } = step.attrs;
        if (reason === 'rejected_elsewhere') return 'rejected';
        return known?.isAccepted || reason === 'accepted_elsewhere' ? 'ended' : 'missed';
      }
      default:
        return undefined;
    }
  }
}

const alternativeOf = (step: BinaryNode, attrs: BinaryNode['attrs']): string | undefined =>
  step.attrs['caller_pn'] ?? attrs['sender_pn'] ?? attrs['sender_lid'];

const hasVideo = ({ content, attrs }: BinaryNode): boolean =>
  attrs.media === 'video' || (Array.isArray(content) && content.some(({ tag }) => tag === 'video'));

/** The record of a call that is over. */
export function readCall(options: ReadingOptions, finished: FinishedCall): Promise<IncomingMessage | undefined> {
  const { id, from: chat, alternative, seconds, call } = finished;
  return readEvent(options, { networkId: `call-${id}`, chat, alternative, seconds }, { type: 'call', text: '', call });
}
