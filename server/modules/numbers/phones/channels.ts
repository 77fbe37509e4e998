import { notificationsOfIds } from '#server/platform/db/notify.ts';
import type { Notification } from '#server/platform/db/notify.ts';

/** Phones whose desired state has changed: a JSON list of ids. */
export const phonesChannel = 'dovepost_phones';

/** Phones with messages waiting: a JSON list of ids. */
export const outboxChannel = 'dovepost_outbox';

/** Has the workers of these phones bring about what is wanted of them now. */
export const phoneNotifications = (ids: readonly number[]): Notification[] => notificationsOfIds(phonesChannel, ids);

/** Has the workers of these phones look for messages that wait. */
export const outboxNotifications = (ids: readonly number[]): Notification[] => notificationsOfIds(outboxChannel, ids);
