import type { CloudNews } from '#server/connectors/messaging/cloud/news.ts';
import { personOfPeer } from '#server/connectors/messaging/port.ts';
import type { IncomingMessage } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { noteMarketingPreference } from '#server/modules/audience/suppressions/index.ts';
import { takeHandsetNames } from '#server/modules/messaging/contacts/index.ts';
import type { HandsetName } from '#server/modules/messaging/contacts/index.ts';
import { followMove, receiveMessages, takeHistory, wakeFetches } from '#server/modules/messaging/messages/index.ts';
import { openWindows, withKnownNumber, withKnownNumbers } from '#server/modules/numbers/phones/index.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { takeNotice } from './notices.ts';
import type { OfficialPhone } from './settle-statuses.ts';
import type { StatusNews, WebhookRow } from './webhook-queue.ts';

/** The rows that they change stay locked until the last of them is stored. */
const messagesAtOnce = 100;

/** `phoneId`: whose callback was called; `phones`: all that may be named there, by their ids at Meta. */
type Taking = { accountId: number; phoneId: number; phones: ReadonlyMap<string, OfficialPhone> };

type OtherNews = Exclude<CloudNews, StatusNews>;
type Item = { row: WebhookRow; news: OtherNews };
/** Taken at once: messages to one number, or parts that cannot be read, that follow each other; or a thing of another kind. */
type ItemSet = [Item, ...Item[]];

export function setsOf(read: readonly { row: WebhookRow; news: readonly CloudNews[] }[]): ItemSet[] {
  const sets: ItemSet[] = [];
  for (const { row, news: all } of read) {
    for (const news of all) {
      if (news.kind === 'status') continue;
      const last = sets.at(-1);
      if (last && goTogether(last, news)) last.push({ row, news });
      else sets.push([{ row, news }]);
    }
  }
  return sets;
}

function goTogether(set: ItemSet, next: OtherNews): boolean {
  const [{ news: first }] = set;
  if (first.kind === 'unreadable') return next.kind === 'unreadable';
  if (first.kind !== 'message' || next.kind !== 'message') return false;
  return first.phoneNumberId === next.phoneNumberId && set.length < messagesAtOnce;
}

/** Smaller sets where one could not be stored: a message that is held up waits alone, and one that is at fault is looked for. */
export function apart(set: ItemSet, error: unknown): ItemSet[] {
  const size = isTransient(error) ? 1 : Math.ceil(set.length / 2);
  const parts: ItemSet[] = [];
  for (const [index, item] of set.entries()) {
    if (index % size === 0) parts.push([item]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

export async function takeTogether(ctx: Context, taking: Taking, set: ItemSet): Promise<void> {
  const [{ news: only }] = set;
  if (only.kind === 'unreadable') {
    const about = { accountId: taking.accountId, phoneId: taking.phoneId, count: set.length, reason: only.reason };
    ctx.logger.warn(about, 'parts of a webhook of Meta are left out');
    return;
  }
  const messages = set.flatMap(({ news }) => (news.kind === 'message' ? [news] : []));
  const [first] = messages;
  if (!first) return takeOne(ctx, taking, only);
  const phone = taking.phones.get(first.phoneNumberId);
  if (phone) {
    await takeMessages(
      ctx,
      { accountId: taking.accountId, ...phone },
      messages.map(({ message }) => message),
    );
  }
}

async function takeMessages(
  ctx: Context,
  phone: OfficialPhone & { accountId: number },
  messages: readonly IncomingMessage[],
): Promise<void> {
  const { accountId, phoneId } = phone;
  const peers = await withKnownNumbers(
    ctx,
    accountId,
    messages.map(({ peer }) => peer),
  );
  const known = messages.map((message, index) => ({ ...message, peer: peers[index] ?? message.peer }));
  // Before what the messages set off, which may answer at once.
  const openings = known.filter(({ isFromHandset }) => !isFromHandset);
  await openWindows(ctx, { accountId, phoneId, openings });
  await retryConflicts(() => receiveMessages(ctx, phone, known));
  // The files are fetched by whichever process holds the phone.
  if (known.some(({ content }) => 'media' in content)) await wakeFetches(ctx, phoneId);
}

async function takeOne(ctx: Context, { accountId, phoneId, phones }: Taking, news: OtherNews): Promise<void> {
  switch (news.kind) {
    case 'message':
    case 'unreadable':
      return;
    case 'history': {
      const phone = phones.get(news.phoneNumberId);
      if (!phone) return;
      for (const part of news.news) await takeHistory(ctx, { accountId, ...phone }, part);
      if (news.news.some(({ kind }) => kind === 'file')) await wakeFetches(ctx, phone.phoneId);
      return;
    }
    case 'names': {
      const phone = phones.get(news.phoneNumberId);
      if (!phone) return;
      const names: HandsetName[] = [];
      for (const each of news.names) names.push({ ...each, peer: await withKnownNumber(ctx, accountId, each.peer) });
      return takeHandsetNames(ctx, { accountId, ...phone }, names);
    }
    case 'moved': {
      const phone = phones.get(news.phoneNumberId);
      if (phone) await followMove(ctx, { accountId, ...phone }, news);
      return;
    }
    case 'account':
      return takeNotice(ctx, { accountId, phoneId, news });
    case 'preference': {
      const { isStopped, at } = news;
      const phone = personOfPeer(await withKnownNumber(ctx, accountId, news.peer));
      return inTransaction(ctx, (tx) => noteMarketingPreference(tx, { accountId, phone, isStopped, at }));
    }
  }
}
