import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '#server/config.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createPaymentProvider } from './create-payment-provider.ts';

// A pool connects when it is first asked.
const db = new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const paypal = { PAYPAL_CLIENT_ID: 'a', PAYPAL_CLIENT_SECRET: 'b', PAYPAL_PLAN_ID: 'c', PAYPAL_WEBHOOK_ID: 'd' };

test('test payments on this machine', () => {
  expect(createPaymentProvider({ config: parseConfig({}), db, clock: systemClock }).name).toBe('test');
});

test('PayPal stops the start, in words an operator can use', () => {
  const start = () => createPaymentProvider({ config: parseConfig(paypal), db, clock: systemClock });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow('PAYMENTS: expected "test": PayPal payments are not part of this version yet');
});
