import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutgoingContent } from '#contracts/message-content.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { acceptMessages } from './accept-message.ts';
import { claimMessages } from './outbox.ts';

let app: TestApplication;

beforeAll(async () => {
  // Without a worker: the test claims in the place of one.
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(() => app[Symbol.asyncDispose]());

const poll: OutgoingContent = {
  type: 'poll',
  text: 'Which colour?',
  poll: { question: 'Which colour?', options: ['Red', 'Blue'], multiple: false },
};
const contents: OutgoingContent[] = [
  { type: 'text', text: 'First' },
  poll,
  { type: 'edit', text: 'Second' },
  { type: 'deletion' },
  { type: 'text', text: 'Last' },
];

/** A phone with one message of each content that waits, and claims by a worker who says what it holds, or does not. */
async function scene() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const body = { phone_number: '442070000001', connector: 'sandbox', max_daily_messages: 1_000 } as const;
  const { body: phone } = await customer.api.call(addPhoneNumber, { params: { projectId: project.id }, body });
  const { ctx } = app;
  await ctx.pool.query(`update phones set status = 'connected' where account_id = $1`, [customer.id]);
  const account = { id: customer.id, timezone: 'UTC' };
  const submissions = contents.map((content) => ({
    to: '14155550123',
    content,
    override_opt_out: false,
    key: undefined,
    onId: () => undefined,
  }));
  await acceptMessages(ctx, { account, projectId: project.id }, submissions);
  async function claimAs(owner: string, held?: number | null): Promise<string[]> {
    if (held !== undefined)
      await ctx.pool.query(
        `insert into phone_workers (owner, seen_at, held) values ($1, now(), $2) on conflict do nothing`,
        [owner, held],
      );
    const { rows } = await ctx.pool.query<{ token: number }>(
      `insert into phone_leases (account_id, phone_id, owner, token, expires_at)
       values ($1, $2, $3, nextval('lease_token_seq'), now() + interval '1 hour')
       on conflict (phone_id) do update set owner = excluded.owner, token = excluded.token returning token`,
      [customer.id, phone.id, owner],
    );
    const lease = { accountId: customer.id, phoneId: phone.id, token: Number(rows[0]?.token) };
    const networkIds = contents.map((_, index) => `${owner}-${index}`);
    const claimed = await claimMessages(ctx, [{ lease, networkIds }]);
    return claimed.map(({ content }) => content.type);
  }
  return { claimAs };
}

test('a worker of the release before takes what it knows, and leaves the rest to a newer one', async () => {
  const { claimAs } = await scene();
  expect(await claimAs('older', null)).toEqual(['text', 'text']);
  expect(await claimAs('older', null)).toEqual([]);
  expect(await claimAs('newer', 1)).toEqual(['poll', 'edit', 'deletion']);
});

test('a worker that has not said anything yet takes all', async () => {
  const { claimAs } = await scene();
  expect(await claimAs('another')).toEqual(['text', 'poll', 'edit', 'deletion', 'text']);
});
