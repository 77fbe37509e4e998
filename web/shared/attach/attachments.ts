import { useSyncExternalStore } from 'react';
import { maxUploadBytes, type UploadedMedia } from '#contracts/media.ts';
import { ApiError, errorText } from '#web/shared/api-error.ts';
import { getSession, onSessionChange } from '#web/shared/session.ts';
import { uploadFile } from './upload-file.ts';

/** A file that is to go with a message. `preview` is the address of a picture or a film, within this page. */
export type Attachment = { readonly file: File; readonly preview: string | undefined } & (
  | { readonly state: 'uploading'; readonly sentBytes: number }
  | { readonly state: 'ready'; readonly media: UploadedMedia }
  | { readonly state: 'failed'; readonly error: string; readonly canRetry: boolean }
);
export type ReadyAttachment = Extract<Attachment, { state: 'ready' }>;

type Taking = {
  /** The project of the file; undefined: any project may send it. */
  projectId: number | undefined;
  /** Why files of a type cannot be taken, a sentence; undefined where they can. */
  faultOf?: ((mimeType: string) => string | undefined) | undefined;
  /** Takes the file over once it is uploaded: its place is empty from then on. */
  onUploaded?: ((media: UploadedMedia) => void) | undefined;
};

type Placed = { attachment: Attachment; taking: Taking; uploading: AbortController };

const byPlace = new Map<string, Placed>();
const listeners = new Set<() => void>();

function change(place: string, next: Placed | undefined): void {
  if (next === undefined) byPlace.delete(place);
  else byPlace.set(place, next);
  for (const listener of listeners) listener();
}

async function upload(place: string, { attachment: { file, preview }, taking }: Omit<Placed, 'uploading'>) {
  const uploading = new AbortController();
  const { signal } = uploading;
  const show = (state: Attachment) => {
    if (!signal.aborted) change(place, { attachment: state, taking, uploading });
  };
  show({ file, preview, state: 'uploading', sentBytes: 0 });
  try {
    const media = await uploadFile(file, {
      projectId: taking.projectId,
      signal,
      onProgress: (sentBytes) => show({ file, preview, state: 'uploading', sentBytes: Math.min(sentBytes, file.size) }),
    });
    const fault = taking.faultOf?.(media.mime_type);
    if (fault !== undefined) return show({ file, preview, state: 'failed', error: fault, canRetry: false });
    if (taking.onUploaded === undefined) return show({ file, preview, state: 'ready', media });
    if (signal.aborted) return;
    attachments.remove(place);
    taking.onUploaded(media);
  } catch (error) {
    const canRetry = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
    show({ file, preview, state: 'failed', error: errorText(error, 'The file was not uploaded.'), canRetry });
  }
}

const isSeen = ({ type }: File) => type.startsWith('image/') || type.startsWith('video/');

/**
 * Attachments by place, such as a conversation, at most one in each. Kept outside the page: an upload goes on while one
 * looks at another conversation, and the file is there on coming back.
 */
export const attachments = {
  /** In place of what was there. */
  add(place: string, file: File, taking: Taking): void {
    attachments.remove(place);
    const preview = isSeen(file) ? URL.createObjectURL(file) : undefined;
    const error =
      file.size > maxUploadBytes
        ? `Too large: a file may have at most ${maxUploadBytes / 1024 ** 2} MB.`
        : file.size === 0
          ? 'The file is empty.'
          : taking.faultOf?.(file.type);
    if (error === undefined) {
      void upload(place, { attachment: { file, preview, state: 'uploading', sentBytes: 0 }, taking });
      return;
    }
    const attachment: Attachment = { file, preview, state: 'failed', error, canRetry: false };
    change(place, { attachment, taking, uploading: new AbortController() });
  },
  retry(place: string): void {
    const placed = byPlace.get(place);
    if (placed?.attachment.state === 'failed') void upload(place, placed);
  },
  /** Ends its upload, too. */
  remove(place: string): void {
    const placed = byPlace.get(place);
    if (placed === undefined) return;
    placed.uploading.abort();
    change(place, undefined);
    const { preview } = placed.attachment;
    if (preview !== undefined) URL.revokeObjectURL(preview);
  },
  /** The file once it is uploaded; leaves the place empty. The caller revokes its preview. */
  takeReady(place: string): ReadyAttachment | undefined {
    const attachment = byPlace.get(place)?.attachment;
    if (attachment?.state !== 'ready') return undefined;
    change(place, undefined);
    return attachment;
  },
  forgetAll(): void {
    for (const place of byPlace.keys()) attachments.remove(place);
  },
};

// Attachments that were not sent go with the user's session.
onSessionChange(() => {
  if (getSession().token === null) attachments.forgetAll();
});

export function useAttachment(place: string): Attachment | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => byPlace.get(place)?.attachment,
  );
}
