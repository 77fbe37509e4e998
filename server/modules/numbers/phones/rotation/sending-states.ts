import { sendingObstacleWords } from '#contracts/projects.ts';
import type { Sending, SendingObstacle } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import type { ProjectStanding } from '#server/modules/identity/projects/index.ts';
import { holdOfPhone, holdOfProject } from '../hold-of-phone.ts';
import { findHolds, findSenders } from '../present.ts';
import { knownEnd } from '../official/number-holds.ts';
import { findRotationPhones } from './find-phones.ts';
import { findShutPhones } from '../official/windows.ts';
import { assignPhones } from './assign-phones.ts';
import type { Assignment, RotationPhone } from './assign-phones.ts';

/** The rotation's answer to a message of each project now, and the hold of its queued ones, by the project's id. */
export async function findStandings(
  ctx: AccountContext,
  projectIds: readonly number[],
): Promise<Map<number, ProjectStanding>> {
  if (projectIds.length === 0) return new Map();
  const phones = await findRotationPhones(ctx, { accountId: ctx.account.id, projectIds });
  const byProject = Map.groupBy(phones, ({ project_id: projectId }) => projectId);
  if (await isSuspended(ctx)) {
    return new Map(projectIds.map((id) => [id, { ...countPhones(byProject.get(id)), ...suspended }]));
  }
  const at = { now: ctx.clock.now(), timezone: ctx.account.timezone };
  const senders = await findSenders(ctx, ctx.account.id, phones, at);
  const official = await findHolds(ctx, phones, ctx.account.id);
  return new Map(
    projectIds.map((projectId) => {
      const ofProject = byProject.get(projectId) ?? [];
      const [assignment = { kind: 'no_connected_phone' }] = assignPhones(ofProject, { count: 1, ...at });
      const hold = holdOfProject(
        ofProject.map((phone) =>
          holdOfPhone(phone, { sender: senders.get(phone.id), official: official.get(phone.id) }, at),
        ),
      );
      return [projectId, { ...countPhones(ofProject), sending: presentSending(assignment, ofProject), ...hold }];
    }),
  );
}

/** The same of one phone; of the whole project where that phone is gone. */
export async function findSendingOfPhone(
  ctx: AccountContext,
  { projectId, phoneId, number }: { projectId: number; phoneId: number | null; number: string | null },
): Promise<{ sending: Sending; isOfPhone: boolean }> {
  const phones = await findRotationPhones(ctx, { accountId: ctx.account.id, projectIds: [projectId] });
  const own = phones.filter(({ id }) => id === phoneId);
  const asked = own.length > 0 ? own : phones;
  if (await isSuspended(ctx)) return { sending: obstacle('account_suspended', null), isOfPhone: own.length > 0 };
  const at = { now: ctx.clock.now(), timezone: ctx.account.timezone };
  const [assignment = { kind: 'no_connected_phone' }] = assignPhones(asked, { count: 1, ...at });
  const [shut] = await findShutPhones(
    ctx,
    asked,
    number === null ? [] : [{ to: number, businessAccountId: undefined }],
  );
  const isShut = assignment.kind === 'phone' && asked.every(({ id }) => shut?.has(id));
  const sending = isShut ? obstacle('window_closed', null) : presentSending(assignment, asked);
  return { sending, isOfPhone: own.length > 0 };
}

function countPhones(phones: readonly RotationPhone[] = []) {
  return {
    phone_count: phones.length,
    connected_phone_count: phones.filter(({ status }) => status === 'connected').length,
  };
}

const suspended = {
  sending: obstacle('account_suspended', null),
  waiting_for: 'account_suspended',
  waiting_until: null,
} as const;

async function isSuspended(ctx: AccountContext): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', ctx.account.id)
    .where('suspended_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

function presentSending(assignment: Assignment, phones: readonly RotationPhone[]): Sending {
  switch (assignment.kind) {
    case 'phone': {
      const connector = phones.find(({ id }) => id === assignment.phoneId)?.connector ?? null;
      return { can_send: true, connector, reason: null, message: null, until: null };
    }
    case 'daily_limit':
      return obstacle('daily_limit_reached', assignment.until);
    case 'no_room':
    case 'unwanted':
      throw new Error('The rotation was asked neither for room nor with wishes');
    case 'phones_limited':
      return obstacle('phones_limited', knownEnd(assignment.until));
    default:
      return obstacle(assignment.kind, null);
  }
}

function obstacle(reason: SendingObstacle, until: Date | null): Sending {
  return {
    can_send: false,
    connector: null,
    reason,
    message: sendingObstacleWords[reason],
    until: until?.toISOString() ?? null,
  };
}
