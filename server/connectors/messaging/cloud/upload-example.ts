import { openAsBlob } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { TemplateAccess, TemplateAnswer } from '../port.ts';
import type { CloudCredentials } from './credentials.ts';
import { adviceFor } from './faults.ts';
import type { Graph, GraphCall } from './graph.ts';

type Example = Parameters<TemplateAccess['uploadExample']>[1];

const TokenAnswer = z.object({ data: z.object({ app_id: z.coerce.string().min(1) }) });
const SessionAnswer = z.object({ id: z.string().startsWith('upload:') });
const HandleAnswer = z.object({ h: z.string().min(1) });
const transferTimeoutMs = 5 * 60_000;

/**
 * Uploads the file that reviewers see in a header; the upload belongs to the app of the token. The id of a message's file
 * does not do. Source: developers.facebook.com/docs/graph-api/guides/upload. Rejects with `MediaMissingError`.
 */
export async function uploadExample(
  graph: Graph,
  { credentials: { access_token: token }, media, file }: Example & { credentials: CloudCredentials },
): Promise<TemplateAnswer<string>> {
  const path = await media.temporaryPath();
  try {
    const { bytes } = await media.open(file.id);
    await pipeline(bytes, (await open(path, 'w')).createWriteStream());
    const blob = await openAsBlob(path, { type: file.mime_type });
    return await uploadToApp(graph, { token, blob, name: file.file_name ?? 'example' });
  } finally {
    await rm(path, { force: true });
  }
}

/** The handle of a file that is uploaded to the app of the token. */
export async function uploadToApp(
  graph: Graph,
  { token, blob, name }: { token: string; blob: Blob; name: string },
): Promise<TemplateAnswer<string>> {
  const call = <T>(wanted: Omit<GraphCall<T>, 'token'>) => asAnswer(graph, { ...wanted, token });
  const app = await call({
    method: 'GET',
    path: `debug_token?input_token=${encodeURIComponent(token)}`,
    answer: TokenAnswer,
  });
  if (app.kind !== 'answered') return app;
  const query = new URLSearchParams({ file_name: name, file_length: String(blob.size), file_type: blob.type });
  const session = await call({
    method: 'POST',
    path: `${app.body.data.app_id}/uploads?${query.toString()}`,
    answer: SessionAnswer,
  });
  if (session.kind !== 'answered') return session;
  const done = await call({
    method: 'POST',
    path: session.body.id,
    upload: blob,
    answer: HandleAnswer,
    timeoutMs: transferTimeoutMs,
  });
  return done.kind === 'answered' ? { kind: 'answered', body: done.body.h } : done;
}

async function asAnswer<T>(graph: Graph, call: GraphCall<T>): Promise<TemplateAnswer<T>> {
  const answer = await graph.call(call);
  if (answer.kind === 'answered') return answer;
  if (answer.kind === 'fault') return { kind: 'refused', reason: adviceFor(answer.fault) };
  return { kind: 'unreachable', reason: answer.reason };
}
