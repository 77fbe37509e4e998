import { channels } from '#server/platform/db/channels.ts';
import type { Notification } from '#server/platform/db/channels.ts';

/**
 * What the workers hear of flows: some are due; an account's profiles have changed, it has a subscription again, or one
 * of its phones is connected; messages of a flow were settled.
 */
export type FlowNotice =
  | { kind: 'due' }
  | { kind: 'profiles' | 'access' | 'phones'; accountId: number }
  | { kind: 'settled'; accountId: number; flowId: number };

export const flowNotification = (notice: FlowNotice): Notification => ({
  channel: channels.flows,
  payload: JSON.stringify(notice),
});

export const parseFlowNotice = (payload: string) => JSON.parse(payload) as FlowNotice;
