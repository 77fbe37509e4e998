import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { insertProfiles, makeSegment } from '#tests/support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { pgBouncer } from '#tests/support/spawn-pgbouncer.ts';
import { createRandom } from '#tests/support/random.ts';
import { startS3StandIn } from '#tests/support/s3-stand-in.ts';
import { startWebhookReceiver } from '#tests/webhook-receiver.ts';
import type { WebhookReceiver } from '#tests/webhook-receiver.ts';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInProcess } from '#tests/whatsapp/client.ts';
import type { CleanUp } from '../chaos-scene.ts';
import { linkPhone } from '../link-phone.ts';
import { startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { startMailServer } from './mail-server.ts';
import type { MailServer } from './mail-server.ts';
import { MessageStream } from './message-stream.ts';
import { watchLocks } from './watch-locks.ts';
import type { LockWatch } from './watch-locks.ts';
import { watchPhones } from './watch-phones.ts';
import type { PhoneWatch } from './watch-phones.ts';

export const ownNumbers = ['5511900000100', '5511900000101'];

/** Somebody in the storm, who calls through any process that nobody disturbs. */
export type Party = { id: number; token: string; projectId: number; authKey: string; api(): ApiClient };

export type StormScene = {
  seed: number;
  cluster: Cluster;
  whatsApp: StandInProcess;
  receiver: WebhookReceiver;
  storage: Awaited<ReturnType<typeof startS3StandIn>>;
  mail: MailServer;
  /** The addresses of people who signed up while there was no mail server. */
  newcomers: string[];
  watch: PhoneWatch;
  locks: LockWatch;
  /** Sends through WhatsApp, one by one and with campaigns. */
  shop: Party & { segmentId: number };
  /** Has flows over sandbox phones. */
  florist: Party;
  /** Sends through sandbox phones, and does nothing else. */
  neighbour: Party;
  /** Asks for too much, and uploads what is broken. */
  abuser: Party;
  streams: { shop: MessageStream; neighbour: MessageStream };
  /** Texts that contacts wrote to the shop, each of which is to be stored once. */
  incoming: string[];
  profileCount: number;
};

const bucket = { bucket: 'media', region: 'us-east-1', accessKeyId: 'OURS', secretAccessKey: 'our-secret-key' };

export type StormSize = {
  seed: number;
  workerCount: number;
  profileCount: number;
  recordCount: number;
  isLong: boolean;
  citusUrl: string | undefined;
};

const unlimited = { max_daily_messages: 1_000_000 };
const contactOf = (index: number) => String(14_155_660_000 + 1_001 + (index % 200));

export async function makeStormScene(
  cleanUp: CleanUp,
  { seed, workerCount, profileCount, recordCount, isLong, citusUrl }: StormSize,
): Promise<StormScene> {
  const whatsApp = await startStandIn();
  cleanUp.push(whatsApp.stop);
  const receiver = await startWebhookReceiver();
  cleanUp.push(() => receiver[Symbol.asyncDispose]());
  const storage = await startS3StandIn(bucket);
  cleanUp.push(storage.stop);
  const mail = await startMailServer();
  cleanUp.push(mail.goAway);
  const cluster = await startCluster({
    whatsAppUrl: whatsApp.url,
    workers: workerCount,
    env: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'post@example.com',
      S3_ENDPOINT: storage.endpoint,
      S3_BUCKET: bucket.bucket,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    },
    hasStandby: isLong,
    hasPooler: isLong && pgBouncer !== undefined && citusUrl === undefined,
    citusUrl,
    cleanUp,
  });
  const watch = watchPhones(cluster);
  const locks = watchLocks(cluster);
  cleanUp.push(locks.stop);
  const random = createRandom(seed + 1);
  const url = cluster.workers[0]?.product.url ?? '';

  async function makeParty(webhookUrl?: string): Promise<[Party, Customer]> {
    const customer = await signUpSubscriber(url);
    const { id: projectId, auth_key: authKey } = await makeProject(customer, webhookUrl);
    const { id, token } = customer;
    const api = () =>
      createApiClient(random.pick(cluster.workers.filter(({ isDisturbed }) => !isDisturbed)).product.url, {
        authorization: token,
      });
    return [{ id, token, projectId, authKey, api }, customer];
  }

  const [shop, shopOwner] = await makeParty(receiver.url);
  for (const number of ownNumbers) {
    await linkPhone(whatsApp.control, shopOwner.api, { projectId: shop.projectId, number });
  }
  await insertProfiles(cluster.pool, shop.id, profileCount);
  const { id: segmentId } = await makeSegment(shopOwner);

  const [florist, floristOwner] = await makeParty();
  for (let phone = 0; phone < 3; phone += 1) await connectSandboxPhone(floristOwner, florist.projectId, unlimited);
  await insertProfiles(cluster.pool, florist.id, profileCount);

  const [neighbour, neighbourOwner] = await makeParty();
  for (let phone = 0; phone < 2; phone += 1) await connectSandboxPhone(neighbourOwner, neighbour.projectId, unlimited);
  const [abuser] = await makeParty();
  await insertProfiles(cluster.pool, abuser.id, recordCount);
  await insertRecords(cluster, abuser, recordCount);

  const stream = (name: string, { authKey }: Party) => {
    const started = new MessageStream(cluster, { name, authKey, recipient: contactOf, random: createRandom(seed + 2) });
    cleanUp.push(() => started.end());
    return started;
  };
  return {
    seed,
    cluster,
    whatsApp,
    receiver,
    storage,
    mail,
    newcomers: [],
    watch,
    locks,
    shop: { ...shop, segmentId },
    florist,
    neighbour,
    abuser,
    streams: { shop: stream('Shop', shop), neighbour: stream('Neighbour', neighbour) },
    incoming: [],
    profileCount,
  };
}

async function insertRecords({ pool }: Cluster, { id, projectId }: Party, count: number): Promise<void> {
  await pool.query(
    `insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at)
     select $1, $2, 'outgoing', '1415' || n, repeat('Hello ', 50), 'sent', now(), now() from generate_series(1, $3::int) n`,
    [id, projectId, count],
  );
}
