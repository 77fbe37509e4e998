import type { Insertable } from 'kysely';
import type { MessageContext } from '#contracts/message-content.ts';
import type { IncomingChange, IncomingContent } from '#server/connectors/messaging/port.ts';
import type { MessagesTable } from '../tables.ts';
import { sourceColumn } from './details.ts';

/** The content of a message that is kept as a record of its own. */
export type RecordContent = Exclude<IncomingContent, IncomingChange | { type: 'number_shared' }>;
type Columns = Pick<
  Insertable<MessagesTable>,
  'body' | 'type' | 'media' | 'media_source' | 'location' | 'contacts' | 'protocol_type'
>;

/** The columns of an incoming message's content. `isEarly`: its edit came first. */
export function contentColumns(
  content: RecordContent,
  {
    context,
    secret,
    isEarly = false,
  }: { context: MessageContext | undefined; secret: string | undefined; isEarly?: boolean },
): Columns {
  const details = { ...(context && { context }), ...(isEarly && { is_early: true as const }) };
  const columns = { type: content.type, body: content.text, media_source: sourceColumn({ secret, details }) };
  switch (content.type) {
    case 'text':
    case 'waiting':
      return columns;
    case 'location':
      return { ...columns, location: JSON.stringify(content.location) };
    case 'contact':
      return { ...columns, contacts: JSON.stringify(content.contacts) };
    case 'unsupported':
      return { ...columns, protocol_type: content.protocolType };
    case 'poll':
      return withDetails({ ...details, poll: { ...content.poll, votes: [] } });
    case 'order':
      return withDetails({ ...details, order: content.order });
    case 'payment':
      return withDetails({ ...details, payment: content.payment });
    case 'call':
      return withDetails({ ...details, call: content.call });
    default: {
      const { mimeType, fileName, size, sha256, source } = content.media;
      const media = { id: null, mime_type: mimeType, file_name: fileName, size, sha256, state: 'pending' as const };
      return {
        ...columns,
        media: JSON.stringify(media),
        media_source: sourceColumn({ file: source, secret, details }),
      };
    }
  }

  function withDetails(all: Parameters<typeof sourceColumn>[0]['details']): Columns {
    return { ...columns, media_source: sourceColumn({ secret, ...(all && { details: all }) }) };
  }
}
