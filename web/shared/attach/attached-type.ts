import { mediaRules, type UploadedMedia } from '#contracts/media.ts';

/** The message type of an attached file. */
export type AttachedType = 'image' | 'video' | 'audio' | 'document';

const shownTypes = ['image', 'video', 'audio'] as const;

/** As people see it at once where it may; else, too large for that or of another kind, as a document. */
export function attachedType({ mime_type: mimeType, size }: Pick<UploadedMedia, 'mime_type' | 'size'>): AttachedType {
  const fits = (type: (typeof shownTypes)[number]) => {
    const { types, maxBytes } = mediaRules[type];
    return types.includes(mimeType) && size <= maxBytes;
  };
  return shownTypes.find(fits) ?? 'document';
}

/** Why a picture, film or sound goes as a document all the same; undefined for what is one. */
export function whyDocument({ mime_type: mimeType, size }: Pick<UploadedMedia, 'mime_type' | 'size'>) {
  const type = shownTypes.find((each) => mediaRules[each].types.includes(mimeType));
  return type === undefined || size <= mediaRules[type].maxBytes
    ? undefined
    : `over ${mediaRules[type].maxBytes / 1024 ** 2} MB, so it goes as a document`;
}
