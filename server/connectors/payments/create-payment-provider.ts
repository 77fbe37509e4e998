import type { Kysely } from 'kysely';
import { premiumPlan } from '#contracts/billing.ts';
import type { Config } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/database.ts';
import type { Logger } from '#server/platform/logger.ts';
import { createPayPalPayments } from './paypal/paypal-payments.ts';
import type { PaymentProvider } from './port.ts';
import { createTestPayments } from './test.ts';

type Parts = { config: Pick<Config, 'payments' | 'publicUrl'>; db: Kysely<Database>; clock: Clock; logger: Logger };

/** Nobody is asked yet: the start does not depend on a provider that is away. */
export function createPaymentProvider({ config, db, clock, logger }: Parts): PaymentProvider {
  if (config.payments.provider === 'test') return createTestPayments({ db, clock });
  const { paypal } = config.payments;
  return createPayPalPayments({ config: paypal, publicUrl: config.publicUrl, planId: premiumPlan.id, clock, logger });
}
