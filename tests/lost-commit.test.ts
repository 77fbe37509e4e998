import { expect, test } from 'vitest';
import { sendBatch } from '#contracts/message-batches.ts';
import type { BatchAnswer } from '#contracts/message-batches.ts';
import { sendMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import type { Problem } from '#contracts/problem.ts';
import { startTestApplication } from './support/application.ts';
import { create, makeScene, until } from './support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import { addProfile, makeFlow, makeFlowScene } from './support/flow-scene.ts';
import { startRelay } from './support/relay.ts';
import type { Relay } from './support/relay.ts';

/** The statement that stores messages, by the name that it is prepared under. */
const statement = 'accept-messages';
/** The ones that store messages without a phone, and that give them theirs. */
const [deferring, giving] = ['defer-messages', 'give-phones'];

const people = 20;
const firstOfBatch = 14_155_551_101;

async function startBehindRelay() {
  const database = await createTestDatabase();
  const relay = await startRelay(database.applicationConnectionString);
  const app = await startTestApplication({ connectionString: relay.connectionString });
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Message & Problem & { data: BatchAnswer[] } };
  };
  const send = (headers: Record<string, string> = {}, more = {}) =>
    post(sendMessage.path, { to: '14155550123', message: 'Hello', ...more }, headers);
  const batch = () => {
    const messages = Array.from({ length: people }, (_, index) => ({
      to: String(firstOfBatch + index),
      message: 'Hi',
    }));
    return post(sendBatch.path, { messages });
  };
  const stored = async () =>
    (await database.pool.query<{ id: number; status: string }>('select id, status from messages order by id')).rows;
  return {
    app,
    relay,
    database,
    send,
    batch,
    stored,
    async [Symbol.asyncDispose]() {
      relay.recover();
      await app[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

test('a send whose COMMIT took effect without an answer is accepted, stored and sent once', async () => {
  await using scene = await startBehindRelay();
  scene.relay.loseCommit({ statement, takesEffect: true });
  const { status, body } = await scene.send();
  expect([status, body.status]).toEqual([200, 'sent']);
  await expect.poll(scene.stored).toEqual([{ id: body.id, status: 'read' }]);
});

test('a send whose COMMIT never arrived is refused, and nothing is there', async () => {
  await using scene = await startBehindRelay();
  scene.relay.loseCommit({ statement, takesEffect: false });
  const { status, body } = await scene.send();
  expect([status, body.code, body.message_id]).toEqual([503, 'database_unavailable', undefined]);
  expect(await scene.stored()).toEqual([]);
  expect((await scene.send()).status).toBe(200);
});

test('while the database stays away the refusal says that the message may be there, and under which id', async () => {
  await using scene = await startBehindRelay();
  scene.relay.loseCommit({ statement, takesEffect: true, onCut: scene.relay.goAway });
  const { status, body } = await scene.send();
  expect([status, body.code]).toEqual([503, 'database_unavailable']);
  expect(await scene.stored()).toMatchObject([{ id: body.message_id }]);
  scene.relay.recover();
  // The message goes out without another request.
  await expect.poll(scene.stored).toEqual([{ id: body.message_id, status: 'read' }]);
});

const inAnHour = () => new Date(Date.now() + 60 * 60_000).toISOString();

test('a scheduled message whose COMMIT took effect without an answer is accepted and stored once', async () => {
  await using scene = await startBehindRelay();
  scene.relay.loseCommit({ statement: deferring, takesEffect: true });
  const { status, body } = await scene.send({}, { send_at: inAnHour() });
  expect([status, body.status]).toEqual([202, 'scheduled']);
  expect(await scene.stored()).toEqual([{ id: body.id, status: 'scheduled' }]);
});

test('a scheduled message whose COMMIT never arrived is refused, and nothing is there', async () => {
  await using scene = await startBehindRelay();
  scene.relay.loseCommit({ statement: deferring, takesEffect: false });
  const { status, body } = await scene.send({}, { send_at: inAnHour() });
  expect([status, body.code, body.message_id]).toEqual([503, 'database_unavailable', undefined]);
  expect(await scene.stored()).toEqual([]);
});

test('while the database stays away, the refusal of a scheduled message and of a batch say that they may be there', async () => {
  await using scene = await startBehindRelay();
  for (const ask of [() => scene.send({}, { send_at: inAnHour() }), scene.batch]) {
    scene.relay.loseCommit({ statement: deferring, takesEffect: true, onCut: scene.relay.goAway });
    const { status, body } = await ask();
    expect([status, body.code]).toEqual([503, 'database_unavailable']);
    expect(await scene.stored()).toContainEqual(expect.objectContaining({ id: body.message_id }));
    scene.relay.recover();
  }
});

test('a batch whose commits are lost, as it is stored and as it gets phones, is sent and counted once', async () => {
  await using scene = await startBehindRelay();
  scene.relay.loseCommit({ statement: deferring, takesEffect: true, onCut: () => cutNext() });
  let cuts = 0;
  const cutNext = () => {
    cuts += 1;
    scene.relay.loseCommit({ statement: giving, takesEffect: cuts % 2 === 0, ...(cuts < 3 && { onCut: cutNext }) });
  };
  const { status, body } = await scene.batch();
  expect([status, body.data.filter(({ status: line }) => line === 'pending').length]).toEqual([202, people]);
  const sent = async () => (await scene.database.pool.query(counted)).rows;
  await expect.poll(sent).toEqual([once]);
  expect(cuts).toBeGreaterThan(1);
  const used = await scene.database.pool.query('select sum(daily_count)::int as used from phones');
  expect(used.rows).toEqual([{ used: people }]);
});

/** Cuts a commit after another for as long as `work` runs: taking effect, and not. */
async function loseCommits(relay: Relay, work: Promise<unknown>): Promise<number> {
  let cuts = 0;
  const cutNext = () => {
    if (cuts >= 4) return;
    cuts += 1;
    relay.loseCommit({ statement, takesEffect: cuts % 2 === 1, onCut: cutNext });
  };
  cutNext();
  await work;
  return cuts;
}

const once = { messages: people, recipients: people, away: 0 };
const counted = `select count(*)::int as messages, count(distinct recipient)::int as recipients,
                        count(*) filter (where sent_at is null)::int as away from messages where direction = 'outgoing'`;

test('a campaign whose commits are lost sends to each recipient once', async () => {
  await using scene = await startBehindRelay();
  const campaign = await makeScene(scene.app, people);
  const cuts = await loseCommits(
    scene.relay,
    create(campaign).then((made) => until(campaign, made, { sent_count: people })),
  );
  expect(cuts).toBeGreaterThan(1);
  expect((await scene.database.pool.query(counted)).rows).toEqual([once]);
});

test('a flow whose commits are lost sends to each profile once', async () => {
  await using scene = await startBehindRelay();
  const flow = await makeFlowScene(scene.app);
  for (let index = 0; index < people; index += 1) await addProfile(flow, index);
  const counts = async () => (await scene.database.pool.query(counted)).rows;
  const cuts = await loseCommits(
    scene.relay,
    makeFlow(flow, { active: true }).then(() => expect.poll(counts).toEqual([once])),
  );
  expect(cuts).toBeGreaterThan(1);
  expect(await counts()).toEqual([once]);
});

test('while the database refuses connections and then says nothing, nothing is lost or doubled, and the work goes on', async () => {
  await using scene = await startBehindRelay();
  const { relay } = scene;
  const campaign = await makeScene(scene.app, people);
  const isAway = new Promise<void>((resolve) => {
    relay.loseCommit({ statement, takesEffect: true, onCut: () => (relay.goAway(), resolve()) });
  });
  const made = await create(campaign);
  await isAway;
  const headers = { prefer: 'respond-async', 'idempotency-key': 'during' };
  const refused = { status: 503, body: { code: 'database_unavailable' } };
  expect(await scene.send(headers)).toMatchObject(refused);
  expect((await fetch(`${scene.app.url}/healthz`)).status).toBe(200);
  relay.recover();
  // Connections are made, and are cut off as nothing comes back: a failover is over with the next ones.
  relay.fallSilent();
  const asked = scene.send(headers);
  await expect.poll(relay.connections).toBeGreaterThan(0);
  relay.cut();
  expect(await asked).toMatchObject(refused);
  relay.recover();

  await until(campaign, made, { status: 'completed', sent_count: people });
  expect((await scene.send({ 'idempotency-key': 'during' })).status).toBe(200);
  const { rows } = await scene.database.pool.query(counted);
  expect(rows).toEqual([{ messages: people + 1, recipients: people + 1, away: 0 }]);
});
