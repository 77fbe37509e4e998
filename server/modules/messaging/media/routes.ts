import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import * as contract from '#contracts/media.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { bytesOf } from '#server/platform/http/accept-only.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { downloadMedia } from './serving/download-media.ts';
import { downloadThumbnail } from './serving/download-thumbnail.ts';
import { previewLink } from './link-preview.ts';
import { presentUpload, storeUpload } from './upload-media.ts';

type Sent = { bytes: AsyncIterable<Uint8Array>; fileName: string | null };

export const mediaRoutes: Route[] = [
  route(contract.previewLink, (ctx, { query }) => previewLink(ctx, query)),
  route(contract.uploadMedia, async (ctx, { query }, { request }) => {
    try {
      const { bytes, fileName } = await readFile(request);
      const file = await storeUpload(ctx, {
        bytes,
        fileName: query.file_name ?? fileName,
        projectId: query.project_id ?? null,
        keepsMetadata: query.keep_metadata ?? false,
        type: query.type,
      });
      return presentUpload(file);
    } catch (error) {
      throw request.isMultipart() ? readableFault(error) : error;
    }
  }),
  route(contract.downloadMedia, async (ctx, { params, headers }, { reply }) => {
    const {
      status,
      headers: own,
      body,
    } = await downloadMedia(ctx, {
      ...params,
      range: headers.range,
      ifRange: headers['if-range'],
      ifNoneMatch: headers['if-none-match'],
    });
    reply.headers(own);
    return { status, body };
  }),
  route(contract.downloadThumbnail, async (ctx, { params, headers }, { reply }) => {
    const asked = { ...params, ifNoneMatch: headers['if-none-match'] };
    const { status, headers: own, body } = await downloadThumbnail(ctx, asked);
    reply.headers(own);
    return { status, body };
  }),
];

/** Errors of the form parser are the client's, except for a file that the disk does not take. */
function readableFault(error: unknown): unknown {
  if (error instanceof ProblemError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isForm = code?.startsWith('FST_') || /form|boundary|header|part/i.test(error.message);
  if (!isForm || syscall !== undefined) return error;
  return new ProblemError(
    422,
    'media_not_supported',
    'The form cannot be read: send it as multipart/form-data with one file',
  );
}

/** The bytes of the one file of a form. Looking for another throws where there is one, by the limit of forms: it would be lost. */
async function* alone(part: MultipartFile, parts: AsyncIterator<MultipartFile>): AsyncGenerator<Uint8Array> {
  yield* part.file;
  await parts.next();
}

async function readFile(request: FastifyRequest): Promise<Sent> {
  if (request.isMultipart()) {
    const parts = request.files();
    const { value: part } = (await parts.next()) as { value?: MultipartFile };
    if (!part) throw new ProblemError(422, 'media_not_supported', 'There is no file in the form');
    return { bytes: alone(part, parts), fileName: part.filename ?? null };
  }
  if (!request.body) throw new ProblemError(422, 'media_not_supported', 'The body is empty: send the bytes of a file');
  return { bytes: bytesOf(request, 'Send the bytes of a file'), fileName: null };
}
