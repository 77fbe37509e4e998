import { createClient } from './hey/client/index.ts';
import { cancelMessage, searchMessages, sendBatch, sendMessage } from './hey/sdk.gen.ts';
import type { Message, Problem } from './hey/types.gen.ts';

const client = createClient({ baseUrl: 'https://dovepost.example', headers: { 'x-auth-key': 'dpa_key' } });

export async function send(): Promise<Message> {
  const { data, error } = await sendMessage({ client, body: { to: '14155550132', message: 'Hello' } });
  if (data === undefined) {
    const problem: Problem | undefined = error;
    throw new Error(problem?.code);
  }
  return data;
}

export async function batch(): Promise<number[]> {
  const { data } = await sendBatch({ client, body: { messages: [{ to: '14155550132', message: 'Hello' }] } });
  return data?.data.flatMap(({ id }) => (id === undefined ? [] : [id])) ?? [];
}

export async function cancelScheduled(): Promise<void> {
  const { data } = await searchMessages({ client, query: { status: 'scheduled', limit: 10 } });
  for (const { id } of data?.data ?? []) await cancelMessage({ client, path: { messageId: id } });
}

// @ts-expect-error -- a status that does not exist
void searchMessages({ client, query: { status: 'lost' } });
