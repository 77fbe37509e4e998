import { Check, FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PaymentProviderName, Plan } from '#contracts/billing.ts';
import { formatPrice } from './format-price.ts';

type PlanCardProps = { plan: Plan; provider: PaymentProviderName; children: ReactNode };

export function PlanCard({ plan, provider, children }: PlanCardProps) {
  return (
    <section aria-labelledby="plan" className="overflow-hidden rounded-large border bg-surface">
      <div className="p-5 sm:p-6">
        <h2 id="plan" className="text-16">
          {plan.name}
        </h2>
        <p className="text-muted">{plan.description}</p>
        <p className="mt-4 mb-5 flex items-baseline gap-1.5 text-muted tabular-nums">
          <strong className="text-28 font-semibold text-ink">{formatPrice(plan)}</strong> a month
        </p>
        <ul aria-label="Features" className="mb-6 grid gap-2.5">
          {plan.features.map((feature) => (
            <li key={feature} className="flex items-center gap-2.5">
              <Check aria-hidden="true" className="size-4 text-accent-ink" />
              {feature}
            </li>
          ))}
        </ul>
        {children}
        {provider === 'paypal' && (
          <p className="mt-3 text-center text-13 text-pretty text-muted">
            You agree to the payment at PayPal and come back here.
          </p>
        )}
      </div>
      {provider === 'test' && <TestModeNote>On the next step you play the payer: approve or decline.</TestModeNote>}
    </section>
  );
}

export function TestModeNote({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-3 border-t border-yellow-dot/40 bg-yellow-wash/70 px-5 py-3.5 text-pretty sm:px-6">
      <FlaskConical aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-yellow-ink" />
      <span>
        <strong className="font-semibold">Test mode.</strong> No money moves. {children}
      </span>
    </p>
  );
}
