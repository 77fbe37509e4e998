import type { Kysely } from 'kysely';
import { ConfigError } from '#server/config.ts';
import type { Config } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/schema.ts';
import type { PaymentProvider } from './port.ts';
import { createTestPayments } from './test.ts';

type Parts = { config: Pick<Config, 'payments'>; db: Kysely<Database>; clock: Clock };

/** Throws `ConfigError` for a provider that this version does not have. */
export function createPaymentProvider({ config, db, clock }: Parts): PaymentProvider {
  if (config.payments.provider === 'paypal') {
    throw new ConfigError('PAYMENTS', '"test": PayPal payments are not part of this version yet');
  }
  return createTestPayments({ db, clock });
}
