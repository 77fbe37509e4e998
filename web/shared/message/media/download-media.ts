import { request } from '#web/shared/api.ts';
import { saveFile } from '#web/shared/download.ts';
import { errorText } from '#web/shared/api-error.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { kindWord } from '../message-summary.ts';
import type { MediaMessage } from './media-message.ts';

/** Hands the file of a message to the browser, under its name. */
export async function downloadMedia({ id, type, media }: MediaMessage): Promise<void> {
  try {
    const response = await request('GET /api/media/{mediaId}', { params: { mediaId: media.id } });
    const extension = media.mime_type?.split(/[/;]/)[1] ?? 'bin';
    saveFile(await response.blob(), media.file_name ?? `${kindWord(type).toLowerCase()}-${id}.${extension}`);
  } catch (error) {
    notify.error(errorText(error, 'Failed to download the file'));
  }
}
