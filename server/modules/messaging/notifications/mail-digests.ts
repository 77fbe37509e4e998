import { sql } from 'kysely';
import type { Notification } from '#contracts/notifications.ts';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { findNotifications } from './read-notifications.ts';
import { settingsOf } from './settings.ts';
import { textsOf } from './texts-of.ts';

/** Named in one mail; the others are counted. */
const mostInOneMail = 20;
/** A mail that nobody took for so long has no news any more. */
const staleMs = 2 * 86_400_000;

/** Mails to each person what has gathered, once something has been unread for as long as they said. */
export async function mailDigests(ctx: Context, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped() && (await mailNext(ctx)));
}

type Due = { account_id: number; user_id: number };

// account-wide: people of all accounts are mailed in the order in which they are due.
async function mailNext(ctx: Context): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { rows: due } = await sql<Due>`
      /* prepared: find-mail-due */
      select account_id, user_id from notifications where mail_due_at <= ${tx.clock.now()}
       order by mail_due_at limit 1 for update skip locked
    `.execute(tx.db);
    const [person] = due;
    if (!person) return false;
    const { rows: gathered } = await sql<{ id: number; read_at: Date | null }>`
      update notifications set mail_due_at = null
       where account_id = ${person.account_id} and user_id = ${person.user_id} and mail_due_at is not null
      returning id, read_at
    `.execute(tx.db);
    const unread = gathered.filter((row) => row.read_at === null).map(({ id }) => id);
    if (unread.length > 0) await mail(tx, person, unread);
    return true;
  });
}

type Person = { name: string; email: string; account: string };

/** A member still, with an address that is confirmed: nothing but the mail that asks for it goes to another. */
async function findPerson(tx: Tx, { account_id: accountId, user_id: userId }: Due): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select u.name, u.email, coalesce(a.account_name, a.name) as account
      from members m join users u on u.id = m.user_id join accounts a on a.id = m.account_id
     where m.account_id = ${accountId} and m.user_id = ${userId} and u.email_unconfirmed_since is null
  `.execute(tx.db);
  return rows[0];
}

async function mail(tx: Tx, due: Due, ids: readonly number[]): Promise<void> {
  const person = await findPerson(tx, due);
  if (!person) return;
  const { account_id: accountId, user_id: userId } = due;
  // A member who was narrowed since is told nothing of the other projects.
  const condition = sql`n.id = any(${[...ids]}::bigint[]) and exists (
    select from members m where m.account_id = n.account_id and m.user_id = n.user_id
       and (n.project_id is null or m.project_ids is null or n.project_id = any(m.project_ids)))`;
  const shown = await findNotifications(tx, { accountId, condition, limit: mostInOneMail });
  if (shown.length === 0) return;
  const { shows_texts: showsTexts } = await settingsOf(tx, { accountId, userId });
  const texts = showsTexts ? await textsOf(tx, { accountId, notifications: shown }) : new Map<number, string>();
  await sendMail(tx, { mail: compose(tx, { person, shown, total: ids.length, texts }), usefulForMs: staleMs });
}

type Digest = {
  person: Person;
  shown: readonly Notification[];
  total: number;
  /** By the notification's id. */
  texts: ReadonlyMap<number, string>;
};

function compose({ config: { publicUrl } }: Context, { person, shown, total, texts }: Digest) {
  const [first, ...others] = shown;
  const more = total - shown.length;
  const lineOf = ({ id, title }: Notification) => {
    const text = texts.get(id);
    return text === undefined ? title : `${title}: “${text}”`;
  };
  const isSingle = others.length === 0 && first !== undefined && first.conversation_id !== null;
  return {
    to: person.email,
    ...layOutMail({
      subject:
        total === 1 ? (first?.title ?? '') : `${total.toLocaleString('en')} things are unread in ${person.account}`,
      preview: first?.title ?? '',
      heading: total === 1 ? (first?.title ?? '') : 'What happened while you were away',
      name: person.name,
      paragraphs: [...shown.map(lineOf), ...(more > 0 ? [`And ${more.toLocaleString('en')} more.`] : [])],
      action: {
        label: isSingle ? 'Open the conversation' : 'Open the inbox',
        link: isSingle ? `${publicUrl}/inbox?conversation=${first.conversation_id}` : `${publicUrl}/inbox`,
      },
      footnote: `Which of these mails you get is up to you: ${publicUrl}/settings/notifications has a switch for each.`,
    }),
  };
}
