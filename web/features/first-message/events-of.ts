import type { Message } from '#contracts/messages.ts';

export type MessageEvent = {
  type: 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed' | 'message.received';
  timestamp: string;
  /** The message as it was then. */
  data: Message;
};

/** The webhook events of these messages, in the order in which they happened. */
export function eventsOf(messages: readonly Message[]): MessageEvent[] {
  return messages.flatMap(ofMessage).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp));
}

function ofMessage(message: Message): MessageEvent[] {
  if (message.direction === 'incoming') {
    return [{ type: 'message.received', timestamp: message.created_at, data: message }];
  }
  const { sent_at: sentAt, delivered_at: deliveredAt, read_at: readAt } = message;
  const events: MessageEvent[] = [];
  if (sentAt !== null) {
    const data: Message = { ...message, status: 'sent', delivered_at: null, read_at: null };
    events.push({ type: 'message.sent', timestamp: sentAt, data });
  }
  if (deliveredAt !== null) {
    const data: Message = { ...message, status: 'delivered', read_at: null };
    events.push({ type: 'message.delivered', timestamp: deliveredAt, data });
  }
  if (readAt !== null) events.push({ type: 'message.read', timestamp: readAt, data: message });
  if (message.status === 'failed') {
    events.push({ type: 'message.failed', timestamp: sentAt ?? message.created_at, data: message });
  }
  return events;
}
