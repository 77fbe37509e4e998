import { fork } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { createCampaign, getCampaign } from '#contracts/campaigns.ts';
import { addPhoneNumber, connectPhone } from '#contracts/phone-numbers.ts';
import { syncWhatsappTemplates } from '#contracts/whatsapp-templates.ts';
import { insertProfiles, makeSegment } from '#tests/support/audience.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import type { CloudQuestion, CloudReport, CloudStart } from './cloud-stand-in.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { alone, figure } from './figures.ts';
import type { Figure } from './figures.ts';
import { runWithCallers } from './measure.ts';
import { eventually } from './whatsapp.ts';

/** `CLOUD_MESSAGES=1000` for a look whether it works. */
const people = Number(process.env['CLOUD_MESSAGES'] ?? 20_000);
const callers = 64;
/** Messages a second out of one number of the highest level, beyond which Meta refuses with this code. */
const metaTakes = 1_000;
const limitReached = 130429;
const retryMs = 20;

type Status = { status: string };

type Meta = Awaited<ReturnType<typeof startMeta>>;

async function startMeta() {
  const child = fork(new URL('./cloud-stand-in.ts', import.meta.url).pathname, [String(metaTakes)]);
  const [start] = (await once(child, 'message')) as [CloudStart];
  async function ask<T>(question: CloudQuestion): Promise<T> {
    const answered = once(child, 'message');
    child.send(question);
    return ((await answered) as [T])[0];
  }
  return {
    ...start,
    configure: (callback: string, verifyToken: string) => ask<boolean>({ callback, verifyToken }),
    report: () => ask<CloudReport>('report'),
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

type Run = CloudReport & { rate: number };

async function runOf(meta: Meta): Promise<Run> {
  const report = await meta.report();
  return { ...report, rate: report.sent / Math.max(0.001, (report.lastMs - report.firstMs) / 1000) };
}

/**
 * The same calls in a loop, out of the same number with the same limit; their statuses go to a server that checks the
 * signature, reads them and keeps nothing.
 */
async function bareLoop(): Promise<Run> {
  const meta = await startMeta();
  let read = 0;
  const receiver = createServer((request, response) => void take(request).then((answer) => response.end(answer)));
  async function take(request: IncomingMessage): Promise<string> {
    const body = await buffer(request);
    if (request.method === 'GET')
      return new URL(request.url ?? '/', 'http://x').searchParams.get('hub.challenge') ?? '';
    const signed = createHmac('sha256', meta.credentials.app_secret).update(body).digest();
    const given = String(request.headers['x-hub-signature-256']).replace('sha256=', '');
    if (!timingSafeEqual(signed, Buffer.from(given, 'hex'))) throw new Error('A webhook is not signed by Meta');
    const { entry } = JSON.parse(body.toString()) as { entry: { changes: { value: { statuses: Status[] } }[] }[] };
    const statuses = entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses));
    read += statuses.filter(({ status }) => status === 'read').length;
    return '{}';
  }
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  await meta.configure(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`, 'token');
  const http = new HttpPool(meta.url, { connections: callers });
  const { phone_number_id: id, access_token: token } = meta.credentials;
  async function send(index: number): Promise<void> {
    const { statusCode, body } = await http.request({
      method: 'POST',
      path: `/v25.0/${id}/messages`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: `+${5_511_960_000_000 + index}`,
        biz_opaque_callback_data: String(index),
        type: 'template',
        template: {
          name: 'bench',
          language: { code: 'en' },
          components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'you' }] }],
        },
      }),
    });
    const answer = (await body.json()) as { error?: { code: number } };
    if (statusCode === 200) return;
    if (answer.error?.code !== limitReached) throw new Error(`A call was answered ${statusCode}`);
    await delay(retryMs);
    await send(index);
  }
  try {
    await runWithCallers(people, callers, send);
    await eventually(async () => (read >= people ? true : undefined));
    return await runOf(meta);
  } finally {
    await http.close();
    receiver.close();
    receiver.closeAllConnections();
    await meta.stop();
  }
}

/** A campaign of a template out of one official number, beside a bare loop of the same calls with their statuses. */
export async function benchCloud(bench: Bench): Promise<Figure[]> {
  const baseline = await bareLoop();
  const meta = await startMeta();
  await using product = await bench.start({ CLOUD_API_BASE_URL: meta.url });
  try {
    const customer = await signUpSubscriber(product.url);
    const { api } = customer;
    const project = await makeProject(customer);
    const { body: phone } = await api.call(addPhoneNumber, {
      params: { projectId: project.id },
      body: {
        phone_number: meta.number,
        connector: 'cloud',
        cloud: meta.credentials,
        max_daily_messages: 1_000_000,
      },
    });
    const callback = new URL(new URL(phone.cloud?.callback_url ?? '').pathname, product.url).href;
    if (!(await meta.configure(callback, phone.cloud?.verify_token ?? '')))
      throw new Error('The callback was not verified');
    await api.call(connectPhone, { params: { phoneId: phone.id } });
    await api.call(syncWhatsappTemplates, { body: {} });
    await insertProfiles(bench.database, customer.id, people);
    const segment = await makeSegment(customer);
    const before = await cpuTimeMs(product.pid, bench.database);
    const { body: campaign } = await api.call(createCampaign, {
      body: {
        name: 'Bench',
        project_id: project.id,
        segment_id: segment.id,
        template: { name: 'bench', language: 'en', variables: { first_name: '{name|you}' } },
      },
    });
    const params = { campaignId: campaign.id };
    await eventually(async () => {
      const { status } = (await api.call(getCampaign, { params })).body;
      return status === 'completed' || status === 'failed' ? status : undefined;
    });
    const read = async () => {
      const { rows } = await bench.database.query<{ n: number }>(
        `select count(*)::int as n from messages where campaign_id = $1 and status = 'read'`,
        [campaign.id],
      );
      return (rows[0]?.n ?? 0) >= people ? Date.now() : undefined;
    };
    const readAt = await eventually(read);
    const cpuMs = (await cpuTimeMs(product.pid, bench.database)) - before;
    const { rate, lastMs, webhooks, webhookP99Ms, webhookMedianMs } = await runOf(meta);
    const told = (p99: number, median: number) => `${p99.toFixed(0)} ms (median ${median.toFixed(0)})`;
    return [
      figure(
        `official API, a campaign of ${people} templates out of one number`,
        [{ product: rate, baseline: baseline.rate }],
        '0.5',
      ),
      alone('official API, CPU of a message with its statuses', `${(cpuMs / people).toFixed(1)} ms`, 'at most 4 ms'),
      alone(
        'official API, statuses behind the last message',
        `${((readAt - lastMs) / 1000).toFixed(1)} s`,
        'at most 5 s',
      ),
      alone(
        `official API, Meta's webhook is answered, p99 of ${webhooks}`,
        told(webhookP99Ms, webhookMedianMs),
        'under 50 ms',
        told(baseline.webhookP99Ms, baseline.webhookMedianMs),
      ),
    ];
  } finally {
    await meta.stop();
  }
}
