import type { Notification } from '#server/platform/db/notify.ts';

/** The payload for the flows' workers: a FlowSignal. */
export const flowsChannel = 'dovepost_flows';

/**
 * Flows are due; an account's profiles have changed, its access has opened, or one of its phones is connected, stands
 * otherwise with its network or gave a message back; candidates of a flow were found; messages of a flow were settled.
 */
export type FlowSignal =
  | { kind: 'due' }
  // Processes of an earlier version say nothing of a queue, and have not put the profiles into it.
  | { kind: 'profiles'; accountId: number; isQueued?: true }
  | { kind: 'access' | 'phones'; accountId: number }
  | { kind: 'found'; accountId: number; flowId: number }
  | { kind: 'settled'; accountId: number; flowId: number };

export const flowNotification = (signal: FlowSignal): Notification => ({
  channel: flowsChannel,
  payload: JSON.stringify(signal),
});

export const parseFlowSignal = (payload: string) => JSON.parse(payload) as FlowSignal;
