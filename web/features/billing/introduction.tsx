import type { ReactNode } from 'react';
import { formatLongDate } from '#web/shared/time-format.ts';
import type { Lapse, LapseReason } from './lapse.ts';

const reasons: Record<LapseReason, string> = {
  payment_failed: 'A payment failed and was not made up for within three days.',
  payment_missing: 'You agreed to the payment, but none has arrived within three days.',
  ended: 'Your subscription was cancelled, and the period that was paid for is over.',
  test_ended: 'It was paid for in test mode, where no money moves, and payments are real now.',
  earlier: 'The period that was paid for is over.',
};

type IntroductionProps = {
  firstName: string | undefined;
  lapse: Lapse | undefined;
  /** Sandbox numbers can be used until then, unpaid. */
  trialEndsAt?: string | null | undefined;
  /** They could, and nothing was subscribed to. */
  trialEndedAt?: string | null | undefined;
};

/** Introduces the page: a welcome, or the reason why a former subscriber has no access. */
export function Introduction({ firstName, lapse, trialEndsAt, trialEndedAt }: IntroductionProps) {
  if (lapse === undefined && trialEndsAt) {
    return (
      <Heading title="One plan, everything in it">
        Until {formatLongDate(trialEndsAt)} you try Dovepost with sandbox numbers. Subscribe to connect your own
        WhatsApp numbers; all that you have made stays.
      </Heading>
    );
  }
  if (lapse === undefined && trialEndedAt) {
    return (
      <Heading title={`Your trial ended on ${formatLongDate(trialEndedAt)}`}>
        All that you have made is kept. Subscribe to go on where you stopped, and to connect your own WhatsApp numbers.
      </Heading>
    );
  }
  if (lapse === undefined) {
    return (
      <Heading title="One plan, everything in it">
        {firstName ? `Your account is ready, ${firstName}.` : 'Your account is ready.'} Subscribe to connect phones,
        send messages and use the API.
      </Heading>
    );
  }
  return (
    <Heading
      title={lapse.since === null ? 'Your access has ended' : `Your access ended on ${formatLongDate(lapse.since)}`}
    >
      {reasons[lapse.reason]} Subscribe again and everything goes on where it stopped.
    </Heading>
  );
}

function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header>
      <h1 className="text-28 text-balance">{title}</h1>
      <p className="mt-2 max-w-[46ch] text-16 text-pretty text-muted">{children}</p>
    </header>
  );
}
