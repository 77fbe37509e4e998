import { notificationsOfIds } from '#server/platform/db/notify.ts';
import type { Notification } from '#server/platform/db/notify.ts';

/** Phones that have somebody to tell that their messages were read: a JSON list of ids. */
export const readReceiptsChannel = 'dovepost_read_receipts';

export const readReceiptNotifications = (phoneIds: readonly number[]): Notification[] =>
  notificationsOfIds(readReceiptsChannel, phoneIds);

/** Somebody has a conversation open: an `AttendedConversation`. Nothing is lost with one that is missed. */
export const attendedChannel = 'dovepost_attended';
