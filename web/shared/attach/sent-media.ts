import { attachedType } from './attached-type.ts';
import type { ReadyAttachment } from './attachments.ts';

/** The fields of a message that carries the file, `text` as its caption. */
export function mediaFields({ media }: Pick<ReadyAttachment, 'media'>, text: string) {
  const type = attachedType(media);
  return {
    type,
    media: { id: media.id },
    ...(text.trim() !== '' && { message: text }),
    ...(type === 'document' && media.file_name !== null && { file_name: media.file_name }),
  };
}
