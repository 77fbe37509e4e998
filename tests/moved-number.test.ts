import { expect, test } from 'vitest';
import { listMessages } from '#contracts/messages.ts';
import { addPhoneNumber, deletePhoneNumber } from '#contracts/phone-numbers.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

test('a number that moves to the official API keeps its history, its opt-outs and the people who know it', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const phone_number = meta.number.display;
  const before = await connectSandboxPhone(customer, project.id, { phone_number: `+${phone_number}` });
  const send = async (to: string) => {
    const response = await fetch(`${app.url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
      body: JSON.stringify({ to, message: 'Hello' }),
    });
    return { status: response.status, body: (await response.json()) as { code?: string } };
  };
  expect((await send('+4915140001000')).status).toBe(200);
  await api.call(addSuppression, { body: { phone: '+4915140001001' } });
  await app.ctx.pool.query(
    `insert into phone_contacts (account_id, phone_id, phone_key, wrote_at, refused_at)
     values ($1, $2, phone_key('4915140001000'), now(), null), ($1, $2, phone_key('4915140001002'), null, now())`,
    [customer.id, before.id],
  );
  await api.call(deletePhoneNumber, { params: { phoneId: before.id } });
  const { body: after } = await api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number, connector: 'cloud', cloud: meta.credentials },
  });
  const { rows } = await app.ctx.pool.query<{ phone_key: string; wrote: boolean; refused: boolean }>(
    'select phone_key, wrote_at is not null as wrote, refused_at is not null as refused from phone_contacts where phone_id = $1',
    [after.id],
  );
  // A link's refusals are nothing to the official API.
  expect(rows).toEqual([{ phone_key: '4915140001000', wrote: true, refused: false }]);
  const { body: history } = await api.call(listMessages, { params: { projectId: project.id }, query: {} });
  expect(history.data.map(({ to }) => to)).toEqual(['4915140001000']);
  expect(await send('+4915140001001')).toMatchObject({ status: 409 });
});

test('a linked number that comes back is as strict with itself as it was', async () => {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const body = { phone_number: '+5511987650001', connector: 'whatsapp' } as const;
  const params = { projectId: project.id };
  const { body: before } = await api.call(addPhoneNumber, {
    params,
    body: { ...body, protection: { is_protected: true } },
  });
  await app.ctx.pool.query(
    `insert into phone_health (account_id, phone_id, facts, state_since, refused_at) values ($1, $2, '{"rampDay": 5}', now(), now())
     on conflict (phone_id) do update set facts = excluded.facts, refused_at = excluded.refused_at`,
    [customer.id, before.id],
  );
  await api.call(deletePhoneNumber, { params: { phoneId: before.id } });
  const { body: after } = await api.call(addPhoneNumber, { params, body });
  const { rows } = await app.ctx.pool.query<{ facts: object; refused: boolean }>(
    'select facts, refused_at is not null as refused from phone_health where phone_id = $1',
    [after.id],
  );
  expect(rows).toEqual([{ facts: { rampDay: 5 }, refused: true }]);
});
