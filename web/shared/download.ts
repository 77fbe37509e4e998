import { request, type EndpointName } from './api.ts';

type DownloadCall = Parameters<typeof request>[1];

/** Asks for a file as the signed-in user and hands it to the browser. Throws `ApiError` as `callApi` does. */
export async function downloadFile(name: EndpointName, call: DownloadCall, fileName: string): Promise<void> {
  const response = await request(name, call);
  saveFile(await response.blob(), fileName);
}

/** Hands a file to the browser, which asks where to put it or keeps it with the downloads. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
