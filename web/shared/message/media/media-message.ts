import type { Message } from '#contracts/messages.ts';

type Media = NonNullable<Message['media']>;

/** A message whose file is here. */
export type MediaMessage = Message & { media: Media & { id: string; state: 'stored' } };

export function hasFile(message: Message): message is MediaMessage {
  return message.deleted_at === null && message.media?.state === 'stored' && message.media.id !== null;
}

/** Messages that the viewer shows. */
export const isViewable = (message: Message): message is MediaMessage =>
  hasFile(message) && (message.type === 'image' || message.type === 'video' || message.type === 'sticker');
