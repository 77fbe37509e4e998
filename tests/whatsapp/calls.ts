/** Calls to an account, as its linked devices are told of them. */
import type { Directory } from './account.ts';
import { deliver } from './mailbox.ts';
import { addressShown } from './messages.ts';
import { child, newId, node, nowSeconds, server } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

export type CallStep = 'offer' | 'accept' | 'reject' | 'terminate';

export type CallNews = {
  from: string;
  to: string;
  /** Names the call over all its steps. */
  id: string;
  step: CallStep;
  video?: boolean;
  /** Of `terminate`: `timeout`, `accepted_elsewhere` and the like. */
  reason?: string;
  duration?: number;
  /** How long ago it was, where it waited for the device. */
  secondsAgo?: number;
};

/** The fault in how a device rejects a call; undefined where it is right. */
export function takeRejection(sent: BinaryNode): string | undefined {
  const attrs: Partial<Record<string, string>> = child(sent, 'reject')?.attrs ?? {};
  if (!sent.attrs.id || !attrs['call-id']) return 'a rejection of no call';
  return attrs['call-creator'] === sent.attrs.to ? undefined : 'a rejection to somebody else than the caller';
}

export function tellOfCall(directory: Directory, news: CallNews): void {
  const caller = directory.account(news.from);
  const { device } = directory.account(news.to);
  if (!device) throw new Error(`${news.to} has no linked device`);
  const from = addressShown(caller);
  const step = node(
    news.step,
    {
      'call-id': news.id,
      'call-creator': from,
      ...(from.endsWith('@lid') && { caller_pn: `${caller.number}@${server}` }),
      ...(news.reason !== undefined && { reason: news.reason }),
      ...(news.duration !== undefined && { duration: `${news.duration}` }),
    },
    news.step === 'offer'
      ? [node('audio', { enc: 'opus', rate: '16000' }), ...(news.video ? [node('video')] : [])]
      : [],
  );
  const t = `${nowSeconds() - (news.secondsAgo ?? 0)}`;
  deliver(device, node('call', { from, id: newId('CALL'), t }, [step]));
}
