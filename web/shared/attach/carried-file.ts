import { useEffect, useId } from 'react';
import { CarriedMedia, type NewCarriedMedia } from '#contracts/carried-media.ts';
import { mediaRules, type UploadedMedia } from '#contracts/media.ts';
import { maxCaptionLength, maxTextLength } from '#contracts/message-content.ts';
import { z } from 'zod';
import { attachedType } from './attached-type.ts';
import { attachments, useAttachment, type Attachment } from './attachments.ts';
import { useAttach } from './use-attach.ts';

/** The file of a form: of the record, or uploaded for it, which leaves what it is sent as to the server. */
export const CarriedValue = CarriedMedia.extend({ isUpload: z.boolean().optional() }).nullable();
export type CarriedValue = z.infer<typeof CarriedValue>;

const isSound = (mimeType: string) => mimeType.startsWith('audio/');

export const carriedTypes = mediaRules.document.types.filter((type) => !isSound(type));

const ofText = (mimeType: string) =>
  isSound(mimeType) ? 'A sound cannot go with a text below it. Attach a picture, a video or a document.' : undefined;

function valueOf(media: UploadedMedia): CarriedValue {
  const { id, mime_type, file_name, size, sha256 } = media;
  const type = attachedType(media);
  return { id, type: type === 'audio' ? 'document' : type, mime_type, file_name, size, sha256, isUpload: true };
}

/** The value of `media` for the server. */
export function carriedBody(value: CarriedValue): NewCarriedMedia | null {
  if (value === null) return null;
  const { id, type, file_name, isUpload } = value;
  if (isUpload === true) return { id };
  return { id, type, ...(type === 'document' && file_name !== null && { file_name }) };
}

/** The fields of one message that carries it, `text` as its caption. */
export function carriedMessage(value: CarriedValue, text: string) {
  if (value === null) return { message: text };
  const { id, type, file_name } = value;
  return {
    type,
    media: { id },
    ...(text.trim() !== '' && { message: text }),
    ...(type === 'document' && file_name !== null && { file_name }),
  };
}

type Options = {
  /** Names where an upload is kept, for whoever else on the page looks at it. */
  place?: string;
  value: CarriedValue;
  onChange: (value: CarriedValue) => void;
  isOff: boolean;
  /** In place of the rules for a file above a text. */
  faultOf?: (mimeType: string) => string | undefined;
};

/**
 * The file that every message of a form's campaign, flow or run carries. A file that is being uploaded leaves the
 * previous one in place.
 */
export function useCarriedFile({ place, value, onChange, isOff, faultOf = ofText }: Options) {
  const ownPlace = useId();
  const keptAt = place ?? ownPlace;
  const attach = useAttach({ place: keptAt, isOff, faultOf, onUploaded: (media) => onChange(valueOf(media)) });
  // An upload ends with the form that it is for.
  useEffect(() => () => attachments.remove(keptAt), [keptAt]);
  return { ...carriedState(value, attach.attachment), attach, value, isOff, remove: () => onChange(null) };
}
export type CarriedFile = ReturnType<typeof useCarriedFile>;

/** The same, for those who only look. */
export function useCarriedState(value: CarriedValue, place: string) {
  return carriedState(value, useAttachment(place));
}

function obstacleOf(attachment: Attachment | undefined): string | undefined {
  if (attachment === undefined || attachment.state === 'ready') return undefined;
  if (attachment.state === 'uploading') return 'Wait until the file is uploaded.';
  return attachment.canRetry ? 'Try the file again, or remove it.' : 'Remove the file that cannot go.';
}

function carriedState(value: CarriedValue, attachment: Attachment | undefined) {
  const upload = attachment?.state === 'failed' ? undefined : attachment;
  const hasFile = value !== null || upload !== undefined;
  return {
    /** The file that the message carries, or will. */
    shown: upload ?? value ?? undefined,
    hasFile,
    /** Why the form cannot be saved now, a sentence. */
    obstacle: obstacleOf(attachment),
    maxLength: hasFile ? maxCaptionLength : maxTextLength,
  };
}
