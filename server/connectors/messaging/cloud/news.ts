import type { HistoryNews, IncomingMessage, Peer, ReceiptNews } from '../port.ts';

/** News of one message: matched by our own id, where it came back, or by Meta's. */
export type CloudStatus = {
  ourId: string | null;
  theirId: string;
  receipt: ReceiptNews;
  /** The code with which it failed; at: Meta's time. */
  fault?: { code: number; at: Date };
  /** How Meta counts it, which it says with a delivery. */
  pricing?: { category: string; isBilled: boolean };
};

/** An item of a webhook; `phoneNumberId` names the number. */
export type CloudNews =
  | { kind: 'status'; phoneNumberId: string; status: CloudStatus }
  | { kind: 'message'; phoneNumberId: string; message: IncomingMessage }
  /** Something about the account, a template or a number; `at`: when it came about, where Meta says so. */
  | { kind: 'account'; accountId: string; field: string; value: Record<string, unknown>; at: Date | undefined }
  /** A user stopped marketing of the business, or wants it again. */
  | { kind: 'preference'; peer: Peer; isStopped: boolean; at: Date }
  /** Entries of the address book of a number's Business app; a name of null: removed. */
  | { kind: 'names'; phoneNumberId: string; names: { peer: Peer; name: string | null; at: Date }[] }
  /** Somebody has another number or user id now. */
  | { kind: 'moved'; phoneNumberId: string; from: Peer; to: Peer }
  /** A piece of the chats of before a number of the Business app came to the API as well. */
  | { kind: 'history'; phoneNumberId: string; news: HistoryNews[] }
  | { kind: 'unreadable'; reason: string };
