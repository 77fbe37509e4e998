import type { Message } from '#contracts/messages.ts';

/** The outcome of a call, for people. */
export function callWord({ video, outcome }: NonNullable<Message['call']>): string {
  const kind = video ? 'video call' : 'call';
  if (outcome === 'missed') return `Missed ${kind}`;
  return outcome === 'rejected' ? `Rejected ${kind}` : `Answered ${kind}`;
}
