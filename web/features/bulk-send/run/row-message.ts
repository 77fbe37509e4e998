import { carriedMessage } from '#web/shared/attach/carried-file.ts';
import type { Contact } from '../csv/contact.ts';
import { fillMessage } from '../fill-message.ts';
import type { Content } from './setup.ts';

type Fields = Contact['fields'];

/** The fields of one message to a row, sent alone. */
export function rowMessage({ kind, message, media, template }: Content, fields: Fields) {
  if (kind !== 'template' || template === null) return carriedMessage(media, fillMessage(message, fields));
  const variables = Object.entries(template.variables).map(([name, { text, default: instead }]) => [
    name,
    fillMessage(text, fields).trim() || instead.trim(),
  ]);
  return {
    type: 'template' as const,
    template: {
      name: template.name,
      language: template.language,
      variables: Object.fromEntries(variables) as Record<string, string>,
      ...(template.header_media !== null && { header_media: { id: template.header_media.id } }),
    },
  };
}

/** Whether two rows were sent the same. */
export const rowKey = (content: Content, fields: Fields) => JSON.stringify(rowMessage(content, fields));
