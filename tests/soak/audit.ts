import { Pool } from 'pg';
import { expect } from 'vitest';
import type { SoakScene } from './soak-scene.ts';
import type { Traffic } from './traffic.ts';

async function query<Row extends object>({ connectionString }: SoakScene, text: string): Promise<Row[]> {
  const pool = new Pool({ connectionString, max: 1 });
  try {
    return (await pool.query<Row>(text)).rows;
  } finally {
    await pool.end();
  }
}

/** By themselves: nobody scans a second code. */
export async function untilConnected(scene: SoakScene, timeout: number): Promise<void> {
  const away = () => query(scene, `select number, status, error from phones where status <> 'connected'`);
  await expect.poll(away, { timeout, interval: 1_000 }).toEqual([]);
}

/** Nothing is lost, nothing comes twice or out of order, in either direction. Waits until all is settled. */
export async function audit(scene: SoakScene, traffic: Traffic, timeout: number): Promise<void> {
  const patience = { timeout, interval: 1_000 };
  await untilSettled(scene, patience);
  expect(await query(scene, `select id, error from messages where status = 'failed'`)).toEqual([]);
  await auditSent(scene, traffic, patience);
  await auditReceived(scene, traffic, patience);
}

type Patience = { timeout: number; interval: number };

/** A slow machine may have much to send yet: as long as it becomes less, there is time. */
async function untilSettled(scene: SoakScene, patience: Patience): Promise<void> {
  const read = () =>
    query(scene, `select id, status, error, attempts from messages where status in ('pending', 'sending')`);
  for (let waiting = await read(); waiting.length > 0;) {
    const before = waiting.length;
    await expect.poll(async () => (waiting = await read()).length, patience).toBeLessThan(before);
  }
}

async function auditSent(scene: SoakScene, { sent }: Traffic, patience: Patience): Promise<void> {
  for (const [contact, texts] of sent) {
    const shown = async () => {
      const { texts: all, undecryptable } = await scene.control.readContact(contact);
      return { contact, texts: all.map(({ text }) => text), ...(all.length < texts.length && { undecryptable }) };
    };
    // Messages that could not be decrypted are asked for again.
    await expect.poll(shown, patience).toEqual({ contact, texts });
    const { arrivals } = await scene.control.readContact(contact);
    expect(new Set(arrivals.map(({ id }) => id)).size).toBe(texts.length);
  }
}

type StoredRow = { network_id: string; type: string; chat: string; is_own: boolean };

async function auditReceived(
  scene: SoakScene,
  { written, fromHandset, spoilt }: Traffic,
  patience: Patience,
): Promise<void> {
  const read = async () => {
    const rows = await query<StoredRow>(
      scene,
      `select network_id, coalesce(type, 'text') as type, coalesce(source = 'handset', false) as is_own,
              case when source = 'handset' then (select number from phones where id = phone_id) else sender end as chat
         from messages where direction = 'incoming' or source = 'handset' order by id`,
    );
    return Map.groupBy(rows, ({ chat }) => chat);
  };
  const expected = new Map<string, { id: string; type: string }[]>([
    ...written,
    ...[...fromHandset].map(([number, ids]) => [number, ids.map((id) => ({ id, type: 'text' }))] as const),
  ]);
  const asText = (entries: readonly { id: string; type: string }[]) => entries.map(({ id, type }) => `${id} ${type}`);
  /** By chat, so that a failure names the messages. */
  const differences = async () => {
    const found = await read();
    return [...new Set([...expected.keys(), ...found.keys()])].flatMap((chat) => {
      const wanted = asText(expected.get(chat) ?? []);
      const stored = asText((found.get(chat) ?? []).map(({ network_id: id, type }) => ({ id, type })));
      const missing = wanted.filter((each) => !stored.includes(each));
      const surplus = stored.filter((each, place) => !wanted.includes(each) || stored.indexOf(each) !== place);
      return missing.length + surplus.length > 0 ? [{ chat, missing, surplus }] : [];
    });
  };
  await expect.poll(differences, patience).toEqual([]);
  const found = await read();
  // Messages that could not be decrypted come again, later; others do not wait for them.
  const { idsAskedAgain } = await scene.control.stats();
  const late = [...written.values()].flat().flatMap(({ id, isLate }) => (isLate ? [id] : []));
  const misplaced = new Set([...idsAskedAgain, ...late]);
  for (const [chat, entries] of expected) {
    const inOrder = (ids: readonly string[]) => ({ chat, ids: ids.filter((id) => !misplaced.has(id)) });
    const stored = (found.get(chat) ?? []).map(({ network_id: id }) => id);
    expect(inOrder(stored)).toEqual(inOrder(entries.map(({ id }) => id)));
  }
  // Messages that were read are never asked for again, however often they come.
  expect(idsAskedAgain.filter((id) => !spoilt.has(id))).toEqual([]);
}
