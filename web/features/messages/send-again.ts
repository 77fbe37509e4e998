import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';

/** Sends a message again: the same text or file, to the same number, by the phone that the person knows. */
export const sendAgain = {
  isPossible: (message: Message) =>
    message.direction === 'outgoing' && message.to !== null && bodyOf(message) !== undefined,
  async send(message: Message): Promise<Message> {
    const body = bodyOf(message);
    if (message.to === null || body === undefined) throw new Error('This message cannot be sent again');
    const { id } = await callApi('POST /api/conversations', {
      body: { project_id: message.project_id, phone: `+${message.to}` },
    });
    return callApi('POST /api/conversations/{conversationId}/messages', { params: { conversationId: id }, body });
  },
};

function bodyOf({ type, message, media, location, deleted_at: deletedAt, status }: Message) {
  if (deletedAt !== null || status === 'scheduled' || status === 'pending') return undefined;
  switch (type) {
    case 'text':
      return { message };
    case 'location': {
      if (location === null) return undefined;
      const { latitude, longitude, name, address } = location;
      return {
        type,
        location: { latitude, longitude, ...(name !== null && { name }), ...(address !== null && { address }) },
      };
    }
    case 'image':
    case 'video':
    case 'document':
    case 'audio':
    case 'voice':
    case 'sticker': {
      if (!media || media.id === null || media.state !== 'stored') return undefined;
      const isNamed = type === 'document' && media.file_name !== null;
      return {
        type,
        media: { id: media.id },
        ...(message !== '' && { message }),
        ...(isNamed && media.file_name !== null && { file_name: media.file_name }),
      };
    }
    default:
      return undefined;
  }
}
