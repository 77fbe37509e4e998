import { z } from 'zod';
import { cleanText } from '../network-values.ts';
import type { ProfileAccess } from '../port.ts';
import { lookUpNumber } from './check-number.ts';
import { parseCredentials } from './credentials.ts';
import { adviceFor } from './faults.ts';
import type { Graph, GraphAnswer } from './graph.ts';
import { SuccessAnswer } from './schemas.ts';
import { uploadToApp } from './upload-example.ts';

const word = z.string().optional().catch(undefined);
const Answer = z.object({ data: z.tuple([z.object({ about: word, profile_picture_url: word })]).rest(z.unknown()) });

const longestText = 200;
/** A picture of 640 × 640, which Meta keeps, has less. */
const mostPhotoBytes = 1024 * 1024;
const photoTimeoutMs = 10_000;

/** Source: developers.facebook.com/docs/whatsapp/cloud-api/reference/business-profiles. */
export function createProfileAccess(graph: Graph): ProfileAccess {
  return {
    async read(text) {
      const credentials = parseCredentials(text);
      const [number, profile] = await Promise.all([
        lookUpNumber(graph, credentials),
        graph.call({
          method: 'GET',
          path: `${credentials.phone_number_id}/whatsapp_business_profile?fields=about,profile_picture_url`,
          token: credentials.access_token,
          answer: Answer,
        }),
      ]);
      if (number.kind !== 'answered') return failed(number);
      if (profile.kind !== 'answered') return failed(profile);
      const [{ about, profile_picture_url: url }] = profile.body.data;
      const photo = url === undefined || url === '' ? null : await fetchPhoto(graph, url);
      const named = { name: number.body.verified_name, about };
      const line = (value: string | undefined) => cleanText(value ?? '', longestText).trim() || null;
      return { kind: 'answered', body: { name: line(named.name), about: line(named.about), photo } };
    },
    async change(text, { about, photo }) {
      const credentials = parseCredentials(text);
      const token = credentials.access_token;
      const handle = photo && (await uploadToApp(graph, { token, name: 'photo.jpg', blob: jpegOf(photo) }));
      if (handle && handle.kind !== 'answered') return handle;
      const answer = await graph.call({
        method: 'POST',
        path: `${credentials.phone_number_id}/whatsapp_business_profile`,
        token,
        json: {
          messaging_product: 'whatsapp',
          ...(about !== undefined && { about }),
          ...(handle && { profile_picture_handle: handle.body }),
        },
        answer: SuccessAnswer,
      });
      return answer.kind === 'answered' ? answer : failed(answer);
    },
  };
}

const jpegOf = (bytes: Uint8Array) => new Blob([Uint8Array.from(bytes)], { type: 'image/jpeg' });

function failed(answer: Exclude<GraphAnswer<unknown>, { kind: 'answered' }>) {
  if (answer.kind === 'fault') return { kind: 'refused' as const, reason: adviceFor(answer.fault) };
  return { kind: 'unreachable' as const, reason: answer.reason };
}

/** The picture, whose address needs no token; null where it cannot be had, as the profile is worth more than it. */
async function fetchPhoto(graph: Graph, url: string): Promise<Uint8Array | null> {
  if (!graph.mayFetch(url)) return null;
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(photoTimeoutMs) });
    if (!response.ok || !response.body || response.headers.get('content-type') !== 'image/jpeg') return null;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body) {
      size += part.length;
      if (size > mostPhotoBytes) return null;
      parts.push(part);
    }
    return Buffer.concat(parts);
  } catch {
    return null;
  }
}
