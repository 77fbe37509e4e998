import type { Connector, SendOutcome } from '#server/connectors/messaging/port.ts';
import type { ClaimedMessage, Reservation } from '#server/modules/messaging/messages/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';

/** How long a phone pauses after a send without an answer. */
const resendPauseMs = 1_000;

/** The messages that a phone is storing or sending, and how many more it may take. */
export type SendSlots = {
  /** Undefined when the phone can take no message now. */
  claim(what?: 'waiting' | 'queued'): Claiming | undefined;
  /** The network ids of what is being stored or sent. */
  underWay(): string[];
  /** Keeps a place for a message that is about to be stored; undefined when there is none. */
  reserve(): Reservation | undefined;
  /** Resolves once no send is under way. */
  idle(): Promise<void>;
  /** No more pauses end. */
  stop(): void;
};

/** A look for what waits: messages that get a place meanwhile go behind those that it finds, unless those are queued. */
export type Claiming = {
  /** How many messages the phone can take now. */
  room: number;
  send(message: ClaimedMessage): Promise<void>;
  /** `isKnown`: whether all that it found was sent; else what waits may not be passed. */
  end(isKnown: boolean): void;
};

/** The outcome of a message that must not pass another one to the same recipient. */
const overtaking: SendOutcome = {
  kind: 'unknown',
  reason: 'An earlier message to this recipient is tried again first',
  isAttempted: false,
};

/** A file that cannot be uploaded says nothing of what comes after it. */
const comesBack = (outcome: SendOutcome) =>
  outcome.kind === 'unknown' || (outcome.kind === 'held' && outcome.code !== 'media_upload_failed');

type Options = {
  lease: Lease;
  connector: Pick<Connector, 'concurrentSends' | 'createNetworkId'>;
  isOpen(): boolean;
  deliver(message: ClaimedMessage): Promise<SendOutcome>;
  /** Resolves once the outcome is stored. */
  settle(networkId: string, outcome: SendOutcome): Promise<void>;
  /** The phone can take messages again. */
  onFree(): void;
  /** Whether a message was stored for it is not known. */
  onUncertain(): void;
};

export function createSendSlots({
  lease,
  connector,
  isOpen,
  deliver,
  settle,
  onFree,
  onUncertain,
}: Options): SendSlots {
  const sending = new Set<Promise<void>>();
  const sendingIds = new Set<string>();
  /** Places kept for messages that are being stored. */
  const reserved = new Set<string>();
  /**
   * The recipients of messages that came back, with the number of that return: a look into the tables from before it leads to
   * no message to them.
   */
  const returned = new Map<string, number>();
  let returns = 0;
  /** How many of them are not stored as waiting yet. Until they are, nobody looks: only what is behind them would be found. */
  let unstored = 0;
  /** The claims and kept places under way. */
  let open = 0;
  let claiming: Promise<boolean> | undefined;
  /** A request found no free place: the next one that becomes free is announced. */
  let isFull = false;
  let pause: NodeJS.Timeout | undefined;

  /** A send without an answer is retried after a pause, so that an unreachable network is not asked in a tight loop. */
  function pauseAfterUnknown(): void {
    clearTimeout(pause);
    pause = setTimeout(() => {
      pause = undefined;
      onFree();
    }, resendPauseMs);
  }

  function free(): number {
    if (!isOpen() || pause !== undefined || unstored > 0) return 0;
    const count = Math.max(0, connector.concurrentSends - sending.size - reserved.size);
    if (count === 0) isFull = true;
    return count;
  }

  async function store({ networkId, to }: ClaimedMessage, outcome: SendOutcome): Promise<void> {
    if (outcome.kind === 'unknown') pauseAfterUnknown();
    if (!comesBack(outcome)) return settle(networkId, outcome);
    returned.set(to, (returns += 1));
    unstored += 1;
    try {
      await settle(networkId, outcome);
    } finally {
      unstored -= 1;
      // They are claimed again.
      if (unstored === 0) onFree();
    }
  }

  function send(message: ClaimedMessage, outcome: Promise<SendOutcome>): Promise<void> {
    const { networkId } = message;
    sendingIds.add(networkId);
    const done = outcome
      .then((each) => store(message, each))
      .finally(() => {
        sending.delete(done);
        sendingIds.delete(networkId);
        if (isFull) onFree();
        isFull = false;
      });
    sending.add(done);
    return done;
  }

  const deliverSince = (message: ClaimedMessage, since: number) =>
    (returned.get(message.to) ?? 0) > since ? Promise.resolve(overtaking) : deliver(message);

  /** A look into the tables, from `since` on, with all that it leads to. The next one finds there what came back before. */
  function openAt(): { since: number; end(): void } {
    open += 1;
    return {
      since: returns,
      end() {
        open -= 1;
        if (open === 0) returned.clear();
      },
    };
  }

  return {
    underWay: () => [...reserved, ...sendingIds],
    claim(what = 'waiting') {
      const room = free();
      if (room === 0) return undefined;
      const { since, end } = openAt();
      const ended = Promise.withResolvers<boolean>();
      if (what === 'waiting') claiming = ended.promise;
      return {
        room,
        send: (message) => send(message, deliverSince(message, since)),
        end(isKnown) {
          if (claiming === ended.promise) claiming = undefined;
          ended.resolve(isKnown);
          end();
        },
      };
    },
    reserve() {
      if (free() === 0) return undefined;
      const { since, end } = openAt();
      const networkId = connector.createNetworkId();
      reserved.add(networkId);
      const leave = () => {
        reserved.delete(networkId);
        end();
      };
      async function deliverBehind(message: ClaimedMessage, before: Promise<boolean>): Promise<SendOutcome> {
        const isKnown = await before;
        const outcome = isKnown ? deliverSince(message, since) : overtaking;
        end();
        return outcome;
      }
      return {
        lease,
        networkId,
        send(message) {
          reserved.delete(networkId);
          if (claiming) return void send(message, deliverBehind(message, claiming));
          void send(message, deliverSince(message, since));
          end();
        },
        cancel: leave,
        abandon: () => {
          leave();
          onUncertain();
        },
      };
    },
    async idle() {
      await Promise.all(sending);
    },
    stop: () => clearTimeout(pause),
  };
}
