import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createLogger } from '#server/platform/logger.ts';
import { createPaymentProvider } from './create-payment-provider.ts';

// A pool connects when it is first asked.
const db = new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const paypal = { PAYPAL_CLIENT_ID: 'a', PAYPAL_CLIENT_SECRET: 'b', PAYPAL_PLAN_ID: 'P-1', PAYPAL_WEBHOOK_ID: 'd' };

const providerFor = (env: Record<string, string>) =>
  createPaymentProvider({ config: parseConfig(env), db, clock: systemClock, logger: createLogger('silent') });

test('test payments on this machine', () => {
  const provider = providerFor({});
  expect(provider).toMatchObject({ name: 'test', manageUrl: null });
  expect(provider.readEvent).toBeUndefined();
});

test.each([
  [{}, 'https://www.paypal.com/myaccount/autopay/'],
  [{ PAYPAL_BASE_URL: 'https://api-m.sandbox.paypal.com' }, 'https://www.sandbox.paypal.com/myaccount/autopay/'],
  [{ PAYPAL_BASE_URL: 'http://127.0.0.1:9/' }, 'http://127.0.0.1:9/myaccount/autopay/'],
])('PayPal where it is set up, with %j', (env, manageUrl) => {
  const provider = providerFor({ ...paypal, ...env });
  expect(provider).toMatchObject({ name: 'paypal', manageUrl });
  expect(provider.providerPlanId(1)).toBe('P-1');
  expect(provider.providerPlanId(2)).toBeUndefined();
  expect(provider.resume).toBeUndefined();
  expect(provider.decideOrder).toBeUndefined();
});
