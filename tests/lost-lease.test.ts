import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { linkPhone } from './chaos/link-phone.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { holdLock } from './support/hold-lock.ts';
import { controlOf } from './whatsapp/control.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

let app: TestApplication;
let whatsApp: WhatsAppStandIn;

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

async function linkedPhone(number: string) {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId, auth_key: key } = await makeProject(customer);
  await linkPhone(controlOf(whatsApp), customer.api, { projectId, number });
  const send = async (headers: Record<string, string> = {}) => {
    const response = await fetch(app.url + sendMessage.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': key, ...headers },
      body: JSON.stringify({ to: '5511977771234', message: 'Hello' }),
    });
    return { status: response.status, body: (await response.json()) as { id: number } };
  };
  const { rows } = await app.ctx.pool.query<{ id: number }>('select id from phones where number = $1', [number]);
  return { id: rows[0]?.id ?? 0, number, send };
}

/** The lease as another worker has it, or had it until it died. */
const giveLeaseTo = (owner: string, phoneId: number, expiresAt: 'epoch' | 'infinity') =>
  app.ctx.pool.query(
    `update phone_leases set owner = $2, token = nextval('lease_token_seq'), expires_at = $3 where phone_id = $1`,
    [phoneId, owner, expiresAt],
  );

const waitingFor = async (table: string) => {
  const { rows } = await app.ctx.pool.query(
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [`%${table}%`],
  );
  return rows.length;
};

test('a phone whose lease is lost leaves the network at once, whatever it still waits to store', async () => {
  const phone = await linkedPhone('5511900000710');
  expect((await phone.send()).status).toBe(200);
  await holdLock(app.ctx.pool, 'select from connector_keys where phone_id = $1 for update', [phone.id]);
  await phone.send({ prefer: 'respond-async' });
  await expect.poll(() => waitingFor('connector_keys'), { interval: 5 }).toBeGreaterThan(0);

  await giveLeaseTo('another', phone.id, 'infinity');
  await expect.poll(() => whatsApp.isConnected(phone.number), { interval: 10 }).toBe(false);

  expect(await waitingFor('connector_keys')).toBeGreaterThan(0);
});

test('a phone whose lease is lost while it is being opened is not opened', async () => {
  const phone = await linkedPhone('5511900000711');
  const { body: message } = await phone.send();
  await expect.poll(() => whatsApp.isConnected(phone.number)).toBe(true);
  const { logins: before } = whatsApp.stats();
  // A message of its own, of which the network reports nothing more.
  await app.ctx.pool.query(
    `insert into messages (account_id, project_id, phone_id, direction, recipient, body, created_at, network_id, status, lease_token)
     select account_id, project_id, phone_id, direction, recipient, body, created_at, 'INTERRUPTED', 'sending', 0
       from messages where id = $1`,
    [message.id],
  );
  const release = await holdLock(app.ctx.pool, `select from messages where network_id = $1 for update`, [
    'INTERRUPTED',
  ]);
  await giveLeaseTo('dead', phone.id, 'epoch');
  await expect.poll(() => waitingFor('"messages"'), { interval: 5 }).toBeGreaterThan(0);

  await giveLeaseTo('another', phone.id, 'infinity');
  const held = async () => /^dovepost_phones_held (\d+)/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1];
  await expect.poll(held).toBe('0');
  await release();

  await giveLeaseTo('dead', phone.id, 'epoch');
  await expect.poll(async () => (await phone.send()).status).toBe(200);
  expect(whatsApp.stats()).toMatchObject({ logins: before + 1, takeovers: 0 });
});
