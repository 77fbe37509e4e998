import { request } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/download.ts';
import { errorText } from '#web/shared/api-error.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { kindWord } from '../message-summary.ts';
import type { MediaMessage } from './media-message.ts';

export type StoredFile = { id: string; mime_type: string | null; file_name: string | null };

/** Hands the file of a message to the browser, under its name. */
export function downloadMedia({ id, type, media }: MediaMessage): Promise<void> {
  return downloadFile(media, `${kindWord(type).toLowerCase()}-${id}`);
}

/** Hands a file to the browser, under its name; `otherName` is that of one without, its extension left out. */
export async function downloadFile({ id, mime_type, file_name }: StoredFile, otherName: string): Promise<void> {
  try {
    const response = await request('GET /api/media/{mediaId}', { params: { mediaId: id } });
    const extension = mime_type?.split(/[/;]/)[1] ?? 'bin';
    saveFile(await response.blob(), file_name ?? `${otherName}.${extension}`);
  } catch (error) {
    notify.error(errorText(error, 'Failed to download the file'));
  }
}
