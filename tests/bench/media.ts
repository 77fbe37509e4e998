import { randomBytes } from 'node:crypto';
import type { Pool as HttpPool } from 'undici';
import { startStandIn } from '#tests/whatsapp/client.ts';
import type { StandInControl } from '#tests/whatsapp/control.ts';
import type { Bench } from './bench.ts';
import { figure, measurePairs } from './figures.ts';
import type { Figure } from './figures.ts';
import { runWithCallers } from './measure.ts';
import { eventually, linkPhones, post, recipient, startBareBaileys } from './whatsapp.ts';

const rounds = 3;
const filesPerRound = 100;
const callers = 8;
const fileBytes = 100 * 1024;
const [ownNumber, bareNumber, contact] = ['5511900000300', '5511900000301', '5511977770300'] as const;

type Sender = (index: number) => Promise<unknown>;

/** Senders of messages that each carry a file of their own, and of messages that share a file. */
type Senders = { each: Sender; same: Sender };

const makeFile = () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(fileBytes)]);

function productSenders({ http, key }: { http: HttpPool; key: string }): Senders {
  const headers = { 'x-auth-key': key };
  async function upload(): Promise<string> {
    const octets = { ...headers, 'content-type': 'application/octet-stream' };
    const { id } = (await post(http, '/api/media?file_name=a.pdf', octets, makeFile())) as { id: string };
    return id;
  }
  const send = (index: number, id: string) =>
    post(http, '/api/send-message', headers, { to: recipient(index), type: 'document', media: { id } });
  const uploaded = upload();
  return {
    each: async (index) => send(index, await upload()),
    same: async (index) => send(index, await uploaded),
  };
}

/** As it comes it keeps no uploads, so that all files are of their own. */
function bareSenders({ http, path }: { http: HttpPool; path: string }): Senders {
  const each = (index: number) => post(http, `${path}/send-file?to=${recipient(index)}`, {}, makeFile());
  return { each, same: each };
}

async function sentPerSecond(send: Sender): Promise<number> {
  const { seconds } = await runWithCallers(filesPerRound, callers, send);
  return filesPerRound / seconds;
}

/** From the first that a contact sends until all are on the disk. */
async function receivedPerSecond(control: StandInControl, to: string, stored: () => Promise<number>): Promise<number> {
  const wanted = (await stored()) + filesPerRound;
  const about = { mimetype: 'application/pdf', fileName: 'a.pdf' };
  const started = performance.now();
  await runWithCallers(filesPerRound, callers, async () => {
    const bytes = makeFile().toString('base64');
    await control.incomingFile({ from: contact, to, bytes, type: 'document', about });
  });
  await eventually(async () => ((await stored()) >= wanted ? true : undefined));
  return filesPerRound / ((performance.now() - started) / 1000);
}

/** Files of 100 KiB out and in, against the stand-in: the product beside Baileys as it comes. */
export async function benchMedia(bench: Bench): Promise<Figure[]> {
  const standIn = await startStandIn();
  const { control } = standIn;
  const product = await bench.start({}, standIn.url);
  const bare = await startBareBaileys(standIn.url, control);
  try {
    const session = await bare.open(bareNumber);
    const own = productSenders(await linkPhones({ product, control, numbers: [ownNumber] }));
    const baseline = bareSenders(session);
    const storedByBare = async () => {
      const response = await session.http.request({ method: 'GET', path: `${session.path}/files` });
      return ((await response.body.json()) as { count: number }).count;
    };
    const storedByProduct = async () => {
      const { rows } = await bench.database.query<{ count: number }>(
        `select count(*)::int as count from media_files where state = 'stored' and source = 'incoming'`,
      );
      return rows[0]?.count ?? 0;
    };
    const sending = async (kind: keyof Senders) =>
      measurePairs(rounds, async () => ({
        baseline: await sentPerSecond(baseline[kind]),
        product: await sentPerSecond(own[kind]),
      }));
    const receiving = await measurePairs(rounds, async () => ({
      baseline: await receivedPerSecond(control, bareNumber, storedByBare),
      product: await receivedPerSecond(control, ownNumber, storedByProduct),
    }));
    const size = 'files of 100 KiB';
    return [
      figure(`${size} out, each its own, uploaded here first, callers: ${callers}`, await sending('each'), '0.4'),
      figure(`one file out in as many messages, callers: ${callers}`, await sending('same'), '1'),
      figure(`${size} in, until they are stored`, receiving, '0.25'),
    ];
  } finally {
    await bare.stop();
    await product.stop();
    await standIn.stop();
  }
}
