import type { Connector, SendOutcome } from '#server/connectors/messaging/port.ts';
import type { ClaimedMessage, Reservation } from '#server/modules/messaging/messages/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';

/** How long a phone pauses after a send without an answer. */
const resendPauseMs = 1_000;

/** The messages that a phone is storing or sending, and how many more it may take. */
export type SendSlots = {
  /** How many more messages the phone can take now. */
  free(): number;
  /** The network ids of what is being stored or sent. */
  underWay(): string[];
  /** Keeps a place for a message that is about to be stored; undefined when there is none. */
  reserve(): Reservation | undefined;
  send(message: ClaimedMessage): Promise<void>;
  /** Resolves once no send is under way. */
  idle(): Promise<void>;
  /** No more pauses end. */
  stop(): void;
};

type Options = {
  lease: Lease;
  connector: Connector;
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
    if (!isOpen() || pause !== undefined) return 0;
    const count = Math.max(0, connector.concurrentSends - sending.size - reserved.size);
    if (count === 0) isFull = true;
    return count;
  }

  function send(message: ClaimedMessage): Promise<void> {
    const { networkId } = message;
    sendingIds.add(networkId);
    const done = deliver(message)
      .then((outcome) => {
        if (outcome.kind === 'unknown') pauseAfterUnknown();
        return settle(networkId, outcome);
      })
      .finally(() => {
        sending.delete(done);
        sendingIds.delete(networkId);
        if (isFull) onFree();
        isFull = false;
      });
    sending.add(done);
    return done;
  }

  return {
    free,
    send,
    underWay: () => [...reserved, ...sendingIds],
    reserve() {
      if (free() === 0) return undefined;
      const networkId = connector.createNetworkId();
      reserved.add(networkId);
      return {
        lease,
        networkId,
        send: (message) => {
          reserved.delete(networkId);
          void send(message);
        },
        cancel: () => void reserved.delete(networkId),
        abandon: () => {
          reserved.delete(networkId);
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
