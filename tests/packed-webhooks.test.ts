import { expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { getWebhook, listWebhooks } from '#contracts/webhooks.ts';
import type { WebhookPayload } from '#contracts/webhooks.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import { isContracting } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations/index.ts';
import { packJson, packedCodes, packedWords, unpackJson } from '#server/platform/db/packed-json.ts';
import { readTable } from '#server/modules/outreach/account-data/index.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { patience } from './support/patience.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const packedAttempts = '[[1795731436949, 503, 12, "HTTP 503", "Busy"], [1795731436950, 204, 4], [1, null, 9, "Gone"]]';
const attempts = [
  { at: '2026-11-26T22:17:16.949Z', status_code: 503, duration_ms: 12, error: 'HTTP 503', answer: 'Busy' },
  { at: '2026-11-26T22:17:16.950Z', status_code: 204, duration_ms: 4, error: null, answer: null },
  { at: '1970-01-01T00:00:00.001Z', status_code: null, duration_ms: 9, error: 'Gone', answer: null },
];
const allCodes = String.fromCodePoint(...packedCodes);

test('the database and the product know the same words, and a text that was packed comes back', async () => {
  const database = await createTestDatabase();
  try {
    const { rows } = await database.pool.query<{ text: string }>('select unpacked_json($1) as text', [allCodes]);
    expect(rows[0]?.text).toBe(packedWords.join(''));
    expect(unpackJson(allCodes)).toBe(packedWords.join(''));
    const texts = [
      ...packedWords,
      allCodes,
      packedWords.join(''),
      'Ünïcode 👍',
      '\u2028 $& $1 \\ "',
      '',
      '$&6-11-26T\t',
    ];
    for (const message of texts) {
      for (const timestamp of ['2026-11-26T22:17:16.949Z', '$&$1', '']) {
        const json = JSON.stringify({ type: 'message.sent', timestamp, data: { id: 1, at: timestamp, message } });
        const packed = packJson(json);
        expect(unpackJson(packed)).toBe(json);
        const unpacked = await database.pool.query<{ text: string }>('select unpacked_json($1) as text', [packed]);
        expect(unpacked.rows[0]?.text).toBe(json);
      }
    }
  } finally {
    await database.drop();
  }
});

test('nothing is packed before the upgrade is finished, and what was kept until then is read on', async () => {
  const database = await createTestDatabase({ isMigrated: false });
  try {
    const all = Object.fromEntries(Object.entries(migrations).filter(([name]) => !isContracting(name)));
    await migrateDatabase(database.connectionString, { all });
    const kept = async (text: string, history: string) => {
      const { rows } = await database.pool.query<{ text: string; attempts: unknown }>(
        `select kept_json($1) as text, jsonb_agg(kept_attempt(value)) as attempts from jsonb_array_elements($2::jsonb)`,
        [text, history],
      );
      return rows[0];
    };
    expect(await kept(allCodes, packedAttempts)).toEqual({ text: packedWords.join(''), attempts });
    await migrateDatabase(database.connectionString, { finishes: true });
    expect(await kept(allCodes, packedAttempts)).toEqual({ text: allCodes, attempts: JSON.parse(packedAttempts) });
    expect(await kept('{"type":"test"}', JSON.stringify(attempts))).toEqual({ text: '{"type":"test"}', attempts });
  } finally {
    await database.drop();
  }
});

test('an event is kept in half of its text, and is sent, listed and archived whole', async () => {
  await using app = await startTestApplication();
  await using receiver = await startWebhookReceiver();
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, receiver.url);
  await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const message = 'An order of a hundred characters has left the warehouse today and will be with you the day after. .';
  await byKey.call(sendMessage, { headers: {}, body: { to: '14155550123', message } });
  const params = { projectId: project.id };
  const list = async () => {
    const { body } = await customer.api.call(listWebhooks, { params, query: { status: 'success' } });
    return body.data.filter(({ type }) => type.startsWith('message.'));
  };
  await expect.poll(async () => (await list()).length, patience).toBe(3);

  const sent = receiver.received.map(({ body }) => body);
  for (const record of await list()) {
    const { rows } = await app.ctx.pool.query<{ kept: number; text: string; attempts: number }>(
      `select length(payload) as kept, unpacked_json(payload) as text, pg_column_size(history) as attempts
         from webhook_records where id = $1`,
      [record.id],
    );
    const [row] = rows;
    const whole = `{"id":"${record.event_id}",${row?.text.slice(1)}`;
    expect(sent).toContain(whole);
    expect(record.payload).toEqual(JSON.parse(whole));
    expect((record.payload as WebhookPayload).data).toMatchObject({ message });
    expect(row?.kept).toBeLessThan((row?.text.length ?? 0) / 2);
    expect(row?.attempts).toBeLessThan(70);
    const { body } = await customer.api.call(getWebhook, { params: { webhookId: record.id } });
    expect(body.history).toEqual([
      { at: expect.stringMatching(/Z$/), status_code: 200, duration_ms: expect.any(Number), error: null, answer: null },
    ]);
    const archived: unknown[] = [];
    for await (const { lines } of readTable(app.ctx, { accountId: customer.id, table: 'webhook_records' })) {
      archived.push(
        ...lines
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      );
    }
    const { history } = body;
    expect(archived).toContainEqual(expect.objectContaining({ id: record.id, payload: row?.text, history }));
  }
});
