import type { ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';

export function MessageDetail({ message }: { message: Message }) {
  const { from, to, error, sent_at, delivered_at, read_at } = message;
  const ownNumber = message.direction === 'incoming' ? to : from;
  return (
    <div className="mt-2 grid gap-x-8 gap-y-4 md:grid-cols-[minmax(0,1fr)_18rem]">
      <p className="rounded-base border bg-sunken px-4 py-3 whitespace-pre-wrap wrap-anywhere">{message.message}</p>
      <dl className="grid content-start gap-1.5 text-13">
        {error !== null && (
          <Fact name="Error">
            <span className="text-red-ink">{error}</span>
          </Fact>
        )}
        {ownNumber !== null && (
          <Fact name="Phone">
            <PhoneText digits={ownNumber} />
          </Fact>
        )}
        {sent_at !== null && (
          <Fact name="Sent">
            <DateTime at={sent_at} />
          </Fact>
        )}
        {delivered_at !== null && (
          <Fact name="Delivered">
            <DateTime at={delivered_at} />
          </Fact>
        )}
        {read_at !== null && (
          <Fact name="Read">
            <DateTime at={read_at} />
          </Fact>
        )}
      </dl>
    </div>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right text-pretty wrap-anywhere">{children}</dd>
    </div>
  );
}
