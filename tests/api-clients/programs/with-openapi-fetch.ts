import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const dovepost = createClient<paths>({ baseUrl: 'https://dovepost.example', headers: { 'x-auth-key': 'dpa_key' } });

export async function sendAndRead(): Promise<components['schemas']['Message']['status'] | undefined> {
  const { data, error } = await dovepost.POST('/api/send-message', {
    params: { header: { 'idempotency-key': 'order-4821' } },
    body: { to: '14155550132', message: 'Hello', metadata: { order: '4821' } },
  });
  if (error) {
    const code: string = error.code;
    throw new Error(`${code}: ${error.message}`);
  }
  const read = await dovepost.GET('/api/messages/{messageId}', { params: { path: { messageId: data.id } } });
  return read.data?.status;
}

export async function page(): Promise<number> {
  let after: string | undefined;
  let count = 0;
  do {
    const { data } = await dovepost.GET('/api/messages', {
      params: { query: { limit: 100, status: 'failed', ...(after && { after }) } },
    });
    count += data?.data.length ?? 0;
    after = data?.next_cursor ?? undefined;
  } while (after);
  return count;
}

export async function launch(): Promise<string | undefined> {
  const { data } = await dovepost.POST('/api/campaigns', {
    body: { name: 'Autumn', project_id: 1, segment_id: 2, message: 'Hi {name}' },
  });
  return data?.status;
}

// @ts-expect-error -- a body without its message is seen before it is sent
void dovepost.POST('/api/send-message', { body: { to: '14155550132' } });
