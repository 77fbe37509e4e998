import { expect } from 'vitest';
import { createCampaign, getCampaign, listRecipients } from '#contracts/campaigns.ts';
import type { Campaign, NewCampaign } from '#contracts/campaigns.ts';
import { listMessages } from '#contracts/messages.ts';
import { createProfile } from '#contracts/profiles.ts';
import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { NewProfile } from '#contracts/profiles.ts';
import { inTransaction } from '#server/context.ts';
import type { TestApplication } from './application.ts';
import { insertProfiles, makeSegment } from './audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './customer.ts';
import type { Customer } from './customer.ts';

/** Somebody with a segment and a project; `body` makes a campaign of them. */
export type Scene = {
  app: TestApplication;
  customer: Customer;
  projectId: number;
  segmentId: number;
  body: NewCampaign;
};

type People = number | readonly Partial<NewProfile>[];

/** A segment of these people; the project's sandbox phone is connected unless it says otherwise. */
export async function makeScene(app: TestApplication, people: People, { hasPhone = true } = {}): Promise<Scene> {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  if (hasPhone) await connectSandboxPhone(customer, projectId);
  if (typeof people === 'number') await insertProfiles(app.ctx.pool, customer.id, people);
  else {
    for (const [index, person] of people.entries()) {
      const custom_fields = { group: 'all', ...person.custom_fields };
      const body = { phone: `1415555${2002 + index}`, name: `Person ${index + 1}`, ...person, custom_fields };
      await customer.api.call(createProfile, { body });
    }
  }
  const segmentId = people === 0 ? (await emptySegment(customer)).id : (await makeSegment(customer)).id;
  const body = { name: 'Spring sale', project_id: projectId, segment_id: segmentId, message: 'Hello {name}!' };
  return { app, customer, projectId, segmentId, body };
}

export const emptySegment = (customer: Customer) => makeSegment(customer, 'nobody', 'name');

export async function create({ customer, ...scene }: Scene, changes: Partial<NewCampaign> = {}): Promise<Campaign> {
  return (await customer.api.call(createCampaign, { body: { ...scene.body, ...changes } })).body;
}

export async function get({ customer }: Scene, { id }: Campaign): Promise<Campaign> {
  return (await customer.api.call(getCampaign, { params: { campaignId: id } })).body;
}

export async function recipients({ customer }: Scene, { id }: Campaign, query: object = {}) {
  return (await customer.api.call(listRecipients, { params: { campaignId: id }, query })).body;
}

/** Waits until it is so, and answers the campaign as it is then; its counts add up. */
export async function until(scene: Scene, campaign: Campaign, expected: Partial<Campaign>): Promise<Campaign> {
  await expect.poll(() => get(scene, campaign), { interval: 30 }).toMatchObject(expected);
  const found = await get(scene, campaign);
  expectToAddUp(found);
  return found;
}

export function expectToAddUp({ total_count, waiting_count, sent_count, failed_count, skipped_count }: Campaign): void {
  expect(waiting_count + sent_count + failed_count + skipped_count).toBe(total_count);
}

/** The texts that the project sent, by the recipient's number. */
export async function textsOf({ customer, projectId }: Scene): Promise<Record<string, string>> {
  const query = { pageSize: 100, direction: 'outgoing' } as const;
  const { body } = await customer.api.call(listMessages, { params: { projectId }, query });
  return Object.fromEntries(body.data.map(({ to, message }) => [to ?? '', message]));
}

/** Another worker seems to have it, so that what is handed to it stays there. */
export async function holdPhone({ ctx }: TestApplication, phoneId: number): Promise<void> {
  await ctx.pool.query(
    `update phone_leases set owner = 'elsewhere', token = nextval('lease_token_seq'), expires_at = now() + interval '1 hour'
      where phone_id = $1`,
    [phoneId],
  );
}

export async function releasePhone({ ctx }: TestApplication, phoneId: number): Promise<void> {
  await ctx.pool.query(`update phone_leases set expires_at = now() - interval '1 second' where phone_id = $1`, [
    phoneId,
  ]);
  await ctx.pool.query(`select pg_notify('dovepost_phones', $1)`, [JSON.stringify([phoneId])]);
}

/** As its own worker says when its account is banned, say; whoever feeds it hears of it. */
export async function setPhoneStatus(
  { app, customer, projectId }: Scene,
  phoneId: number,
  status: PhoneStatus,
): Promise<void> {
  await app.ctx.db
    .updateTable('phones')
    .set({ status })
    .where('account_id', '=', customer.id)
    .where('id', '=', phoneId)
    .execute();
  const event = { type: 'phone.status_changed', accountId: customer.id, projectId, at: new Date() } as const;
  await inTransaction(app.ctx, (tx) => tx.onDomainEvents(tx, [event]));
}
