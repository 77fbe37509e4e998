import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MediaType, MessagePreview } from './message-content.ts';
import { IdParam, Timestamp } from './page.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

const office = 'application/vnd.openxmlformats-officedocument';
const pictures = ['image/jpeg', 'image/png'];
const films = ['video/mp4', 'video/3gpp'];
const sounds = ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'];

/**
 * The files that a message of each type may carry, as the Cloud API has it; any file that can be sent at all goes as a
 * document.
 */
export const mediaRules: Readonly<Record<MediaType, { maxBytes: number; types: readonly string[] }>> = {
  image: { maxBytes: 5 * mebibyte, types: pictures },
  video: { maxBytes: 16 * mebibyte, types: films },
  audio: { maxBytes: 16 * mebibyte, types: sounds },
  voice: { maxBytes: 16 * mebibyte, types: ['audio/ogg'] },
  sticker: { maxBytes: 500 * kibibyte, types: ['image/webp'] },
  document: {
    maxBytes: 100 * mebibyte,
    types: [
      'application/pdf',
      'text/plain',
      'text/csv',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      `${office}.wordprocessingml.document`,
      `${office}.spreadsheetml.sheet`,
      `${office}.presentationml.presentation`,
      'image/webp',
      ...pictures,
      ...films,
      ...sounds,
    ],
  },
};

/** Of a sticker that does not move. */
export const maxStillStickerBytes = 100 * kibibyte;
export const stickerPixels = 512;

export const maxUploadBytes = mediaRules.document.maxBytes;

/** An uploaded file. A picture is turned upright and loses what its file says of place and camera, unless asked not to. */
export const UploadedMedia = z.object({
  id: z.string().describe('Names the file in messages and campaigns.'),
  mime_type: z.string().describe('As its content says, whatever it was called.'),
  file_name: z.string().nullable().describe('What the file is called.'),
  size: z.int().nonnegative().describe('Bytes, as it is stored.'),
  sha256: z.string().describe('Hexadecimal, of what is stored.'),
  expires_at: Timestamp.describe('When it is removed; later where messages use it.'),
});
export type UploadedMedia = z.infer<typeof UploadedMedia>;

export const uploadMedia = endpoint({
  method: 'POST',
  path: '/api/media',
  audit: { act: 'media.uploaded', row: 'none', because: 'The message that carries it is the record.' },
  callers: ['user', 'api_key', 'project_key'],
  permission: 'media:write',
  needsSubscription: true,
  summary: 'Upload a file of up to 100 MiB, as the body itself or as the one file of multipart/form-data',
  query: z.object({
    file_name: z.string().trim().max(200).optional().describe('Its name, where the body is the bare bytes.'),
    project_id: IdParam.optional().describe('Of which project; a project key says it itself.'),
    type: MediaType.optional().describe(
      'What it is to be sent as. `voice` and `video` are made to fit where that is possible; a `document` stays as it is. Left ' +
        'out, a video that WhatsApp does not play is made to fit where that is possible.',
    ),
    keep_metadata: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .describe('`true` stores a picture as it is, with what its file says of place and camera.'),
  }),
  consumes: '*/*',
  response: { 201: UploadedMedia },
  errors: ['file_too_large', 'media_not_supported', 'storage_quota_reached'],
});

const mediaId = z.string().max(100).describe('The `id` of an upload, or of the `media` of a message.');

const ifNoneMatch = z
  .string()
  .max(1000)
  .optional()
  .describe('The `etag`s that the caller has: 304 comes without a body where the file is one of them.');

export const downloadMedia = endpoint({
  method: 'GET',
  path: '/api/media/{mediaId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'media:read',
  needsSubscription: true,
  summary: 'The bytes of a file, uploaded or received; one range may be asked for',
  params: z.object({ mediaId }),
  headers: z.object({
    range: z.string().max(200).optional().describe('One range, such as `bytes=0-1023`.'),
    'if-range': z.string().max(200).optional().describe('An `etag`: the whole file comes where it is not that one.'),
    'if-none-match': ifNoneMatch,
  }),
  produces: '*/*',
  response: { 200: z.string(), 206: z.string(), 304: undefined },
  errors: ['media_gone', 'range_not_satisfiable'],
});

export const downloadThumbnail = endpoint({
  method: 'GET',
  path: '/api/media/{mediaId}/thumbnail',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'media:read',
  needsSubscription: true,
  summary: 'A small JPEG of a picture, up to 100 pixels wide and high; 404 for every other file',
  params: z.object({ mediaId }),
  headers: z.object({ 'if-none-match': ifNoneMatch }),
  produces: '*/*',
  response: { 200: z.string(), 304: undefined },
  errors: ['media_gone'],
});

export const previewLink = endpoint({
  method: 'GET',
  path: '/api/link-preview',
  callers: ['user', 'api_key'],
  permission: 'messages:send',
  needsSubscription: true,
  summary:
    'How a link in a text is shown: its page is asked for at most 5 seconds, and once in ten minutes. Null where it names ' +
    'nothing, and while the account has several others asked',
  query: z.object({
    url: z
      .url({ protocol: /^https?$/, error: 'Enter an http or https address' })
      .max(2048, 'Use at most 2048 characters')
      .describe('As the text has it.'),
  }),
  response: {
    200: z.object({
      preview: MessagePreview.nullable().describe('Null where nothing is shown.'),
    }),
  },
});
