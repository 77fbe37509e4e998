import { sql } from 'kysely';
import { personOf } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { notificationsChannel } from './channels.ts';
import type { CauseKind } from './tables.ts';

type Cause = {
  accountId: number;
  projectId: number;
  kind: CauseKind;
  conversationId: number;
  userIds: readonly number[] | null;
  actorId: number | null;
  at: Date;
};

/** Notes what members may be notified of, in the transaction in which it happened; who they are is worked out later. */
export async function noteCauses(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const causes = events.flatMap((event) => causeOf(tx, event) ?? []);
  if (causes.length > 0) await insertCauses(tx, causes);
  const written = events.flatMap((event) => writtenBy(event) ?? []);
  if (written.length > 0) await insertWritten(tx, written);
  const alerted = events.flatMap((event) => (event.type === 'phone.first_contacts_used' ? event.accountId : []));
  if (alerted.length > 0) await makeDue(tx, alerted);
  if (causes.length + written.length + alerted.length > 0)
    await notify(tx.db, [{ channel: notificationsChannel, payload: '' }]);
}

function causeOf({ actor }: Tx, event: DomainEvent): Cause | undefined {
  const actorId = actor.kind === 'user' ? actor.userId : null;
  switch (event.type) {
    case 'conversation.assigned': {
      const { accountId, projectId, at, data } = event;
      if (data.assigned_to === null || data.assigned_to === actorId) return undefined;
      return {
        accountId,
        projectId,
        at,
        kind: 'assigned',
        conversationId: data.id,
        userIds: [data.assigned_to],
        actorId,
      };
    }
    case 'conversation.mentioned': {
      const { accountId, projectId, at, conversationId, userIds } = event;
      return { accountId, projectId, at, kind: 'mentioned', conversationId, userIds, actorId };
    }
    case 'conversation.woken': {
      const { accountId, projectId, at, conversationId } = event;
      return { accountId, projectId, at, kind: 'snooze_ended', conversationId, userIds: null, actorId: null };
    }
    default:
      return undefined;
  }
}

async function insertCauses(tx: Tx, causes: readonly Cause[]): Promise<void> {
  await tx.db
    .insertInto('notification_causes')
    .values(
      causes.map((cause) => ({
        account_id: cause.accountId,
        project_id: cause.projectId,
        kind: cause.kind,
        conversation_id: cause.conversationId,
        alert_id: null,
        user_ids: cause.userIds === null ? null : [...cause.userIds],
        actor_id: cause.actorId,
        due_at: cause.at,
      })),
    )
    .execute();
}

type Written = { accountId: number; projectId: number; key: string; at: Date };

/** A person wrote or called: in the conversation of their number, or of their address on the network. */
function writtenBy(event: DomainEvent): Written | undefined {
  if (event.type !== 'message.received' && event.type !== 'call.received') return undefined;
  const { accountId, projectId, at, data } = event;
  const person = personOf(data);
  if (person === null) return undefined;
  return { accountId, projectId, key: phoneKey(person), at };
}

async function insertWritten(tx: Tx, written: readonly Written[]): Promise<void> {
  await sql`
    /* prepared: note-written-causes, unread */
    with found as materialized (
      select c.account_id, c.project_id, c.id, w.at
        from unnest(${written.map(({ accountId }) => accountId)}::bigint[],
                    ${written.map(({ projectId }) => projectId)}::bigint[],
                    ${written.map(({ key }) => key)}::text[],
                    ${written.map(({ at }) => at)}::timestamptz[]) as w (account_id, project_id, contact_key, at)
        join conversations c using (account_id, project_id, contact_key)
    )
    insert into notification_causes (account_id, kind, project_id, conversation_id, due_at)
    select account_id, 'message', project_id, id, at from found
  `.execute(tx.db);
}

/** Alerts that owe no mail of the alert mailer are never due to it, and their causes, which a trigger notes, would not be either. */
async function makeDue(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await sql`
    update notification_causes set due_at = ${tx.clock.now()}
     where account_id = any(${accountIds}::bigint[]) and kind = 'alert' and due_at = 'infinity'
  `.execute(tx.db);
}
