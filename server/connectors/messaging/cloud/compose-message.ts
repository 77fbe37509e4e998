import type { OutgoingTemplate } from '#contracts/message-content.ts';
import { lidOf } from '../port.ts';
import type { OutgoingMessage } from '../port.ts';
import { assertNever } from '#server/platform/errors.ts';

/**
 * The body of `POST /{phone_number_id}/messages`. The number carries its plus: without one Meta may read it in the
 * country of the business. `biz_opaque_callback_data` comes back with every status, whatever becomes of the answer.
 * Source: developers.facebook.com/docs/whatsapp/cloud-api/messages.
 */
export function composeMessage(message: OutgoingMessage, mediaId: string | undefined): object {
  const { to, networkId, quote, content } = message;
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipientOf(to),
    biz_opaque_callback_data: networkId,
    ...(quote && content.type !== 'reaction' && { context: { message_id: quote.network_id } }),
    ...composeContent(message, mediaId),
  };
}

/** Users who hide their number are written to by their user id. */
function recipientOf(to: string): { to: string } | { recipient: string } {
  const userId = lidOf(to);
  return userId === undefined ? { to: `+${to}` } : { recipient: userId };
}

function composeContent({ content, quote, manner }: OutgoingMessage, mediaId: string | undefined): object {
  switch (content.type) {
    case 'text':
      return {
        type: 'text',
        text: { body: content.text, preview_url: manner?.preview !== false && /https?:\/\//i.test(content.text) },
      };
    case 'image':
    case 'video':
      return { type: content.type, [content.type]: { id: mediaId, ...captionOf(content.text) } };
    case 'document': {
      const { file_name: name } = content.media;
      return {
        type: 'document',
        document: { id: mediaId, ...captionOf(content.text), ...(name && { filename: name }) },
      };
    }
    case 'audio':
      return { type: 'audio', audio: { id: mediaId } };
    case 'voice':
      return { type: 'audio', audio: { id: mediaId, voice: true } };
    case 'sticker':
      return { type: 'sticker', sticker: { id: mediaId } };
    case 'location': {
      const { latitude, longitude, name, address } = content.location;
      return {
        type: 'location',
        location: { latitude, longitude, ...(name && { name }), ...(address && { address }) },
      };
    }
    case 'contact':
      return { type: 'contacts', contacts: content.contacts.map(composeContact) };
    case 'template':
      return composeTemplate(content.template, mediaId);
    case 'poll':
    case 'edit':
    case 'deletion':
    case 'number_request':
      throw new Error(`The official API has no ${content.type}`);
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: quote?.network_id, emoji: content.emoji } };
    default:
      return assertNever(content);
  }
}

function composeTemplate(
  { name, language, components, header_media: header }: OutgoingTemplate,
  mediaId: string | undefined,
): object {
  const file = header && {
    id: mediaId,
    ...(header.type === 'document' && header.media.file_name !== null && { filename: header.media.file_name }),
  };
  const headers = header ? [{ type: 'header', parameters: [{ type: header.type, [header.type]: file }] }] : [];
  return {
    type: 'template',
    template: { name, language: { code: language }, components: [...headers, ...components] },
  };
}

const captionOf = (text: string) => (text === '' ? {} : { caption: text });

function composeContact({ name, phones }: { name: string; phones: { phone: string; type: string | null }[] }): object {
  return {
    name: { formatted_name: name, first_name: name },
    phones: phones.map(({ phone, type }) => ({ phone, ...(type && { type: type.toUpperCase() }) })),
  };
}
