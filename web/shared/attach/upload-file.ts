import type { UploadedMedia } from '#contracts/media.ts';
import { errorOf } from '#sdk/core/dovepost-error.ts';
import { addressOf } from '#sdk/core/address.ts';
import { offline, unreachable } from '#web/shared/api-error.ts';
import { noteSilence } from '#web/shared/reachability.ts';
import { getSession } from '#web/shared/session.ts';

type UploadOptions = {
  /** The project of the file; left out, any project may send it. */
  projectId: number | undefined;
  signal: AbortSignal;
  /** Bytes that have left. */
  onProgress: (sentBytes: number) => void;
};

/** Without a byte gone, or an answer after the last one, for so long, it has failed. */
const stallMs = 60_000;

/**
 * Uploads a file as the signed-in user. Throws `ApiError` as `callApi` does; an abort throws the signal's reason. By
 * XMLHttpRequest, as `fetch` says nothing of how far an upload has come.
 */
export async function uploadFile(file: File, { projectId, signal, onProgress }: UploadOptions): Promise<UploadedMedia> {
  if (!navigator.onLine) throw offline();
  const { method, url } = addressOf('POST /api/media', { query: { file_name: file.name, project_id: projectId } });
  const { token } = getSession();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const failSilently = () => {
    noteSilence();
    reject(navigator.onLine ? unreachable() : offline());
  };
  const watch = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      failSilently();
      request.abort();
    }, stallMs);
  };
  const abort = () => {
    reject(signal.reason);
    request.abort();
  };
  request.upload.addEventListener('progress', ({ loaded }) => {
    watch();
    onProgress(loaded);
  });
  request.addEventListener('load', () => resolve(answerOf(request)));
  request.addEventListener('error', failSilently);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    request.open(method, url);
    request.setRequestHeader('content-type', 'application/octet-stream');
    if (token !== null) request.setRequestHeader('authorization', token);
    watch();
    request.send(file);
    const response = await promise;
    if (!response.ok) throw await errorOf(response);
    return (await response.json()) as UploadedMedia;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function answerOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after');
  return new Response(request.responseText, {
    status: request.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
}
