import { NotificationKind } from '#contracts/notifications.ts';
import type {
  NotificationChannels,
  NotificationSettings,
  NotificationSettingsChange,
} from '#contracts/notifications.ts';
import type { Context, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

const everywhere: NotificationChannels = { page: true, push: true, mail: true };

/** A person who has changed nothing. Pushes go nowhere before a browser is switched on. */
export const defaultSettings: NotificationSettings = {
  assigned: everywhere,
  mentioned: everywhere,
  message_mine: { page: true, push: true, mail: false },
  message_unassigned: { page: true, push: false, mail: false },
  snooze_ended: { page: true, push: true, mail: false },
  // The account's own mails tell of alerts.
  alert: { page: true, push: true, mail: false },
  shows_texts: false,
  mail_after_minutes: 15,
};

/** The settings as what was changed leaves them. */
function settingsFrom(changes: NotificationSettingsChange): NotificationSettings {
  const { shows_texts: showsTexts, mail_after_minutes: mailAfter } = changes;
  const kinds = NotificationKind.options.map((kind) => [kind, { ...defaultSettings[kind], ...given(changes[kind]) }]);
  return {
    ...defaultSettings,
    ...(Object.fromEntries(kinds) as Record<NotificationKind, NotificationChannels>),
    ...(showsTexts !== undefined && { shows_texts: showsTexts }),
    ...(mailAfter !== undefined && { mail_after_minutes: mailAfter }),
  };
}

const given = (channels: NotificationSettingsChange[NotificationKind] = {}) =>
  Object.fromEntries(Object.entries(channels).filter(([, value]) => value !== undefined));

export function getNotificationSettings(ctx: UserContext): Promise<NotificationSettings> {
  return settingsOf(ctx, { accountId: ctx.account.id, userId: ctx.actor.userId });
}

type Whose = { accountId: number; userId: number };

export async function settingsOf(ctx: Context, { accountId, userId }: Whose): Promise<NotificationSettings> {
  const row = await ctx.db
    .selectFrom('notification_settings')
    .select('changes')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return settingsFrom(row?.changes ?? {});
}

async function readChanges({ db, account, actor }: UserContext): Promise<NotificationSettingsChange> {
  const row = await db
    .selectFrom('notification_settings')
    .select('changes')
    .where('account_id', '=', account.id)
    .where('user_id', '=', actor.userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.changes ?? {};
}

export async function updateNotificationSettings(
  ctx: UserContext,
  change: NotificationSettingsChange,
): Promise<NotificationSettings> {
  return inTransaction(ctx, async (tx) => {
    const before = await readChanges(tx);
    const kinds = NotificationKind.options.flatMap((kind) => {
      const channels = { ...given(before[kind]), ...given(change[kind]) };
      return Object.keys(channels).length === 0 ? [] : [[kind, channels] as const];
    });
    const showsTexts = change.shows_texts ?? before.shows_texts;
    const mailAfter = change.mail_after_minutes ?? before.mail_after_minutes;
    const changes: NotificationSettingsChange = {
      ...Object.fromEntries(kinds),
      ...(showsTexts !== undefined && { shows_texts: showsTexts }),
      ...(mailAfter !== undefined && { mail_after_minutes: mailAfter }),
    };
    await tx.db
      .insertInto('notification_settings')
      .values({ account_id: tx.account.id, user_id: tx.actor.userId, changes: JSON.stringify(changes) })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'user_id']).doUpdateSet({ changes: JSON.stringify(changes) }),
      )
      .execute();
    return settingsFrom(changes);
  });
}
