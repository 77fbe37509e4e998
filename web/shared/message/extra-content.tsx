import { Eye, Forward, HandCoins, ListChecks, Megaphone, Phone, Radio, ShoppingCart, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import { callWord } from './call-word.ts';
import { ContentBox } from './content-box.tsx';

/** A poll with its votes, an order, news of money, or a call. */
export function ExtraContent({ message }: { message: Message }) {
  const { poll, order, payment, call } = message;
  if (poll !== null) return <Poll poll={poll} />;
  if (order !== null) {
    const facts = [order.item_count === null ? '' : itemsOf(order.item_count), priceOf(order), order.id ?? ''];
    return (
      <ContentBox icon={<ShoppingCart />} title={order.title ?? 'Order'}>
        {joined(facts)}
      </ContentBox>
    );
  }
  if (payment !== null) {
    return (
      <ContentBox icon={<HandCoins />} title={paymentWords[payment.kind]}>
        {priceOf(payment)}
      </ContentBox>
    );
  }
  if (call === null) return null;
  return (
    <ContentBox icon={call.video ? <Video /> : <Phone />} title={callWord(call)}>
      {call.duration_s === null ? '' : durationOf(call.duration_s)}
    </ContentBox>
  );
}

const paymentWords = {
  request: 'Asks for money',
  sent: 'Sent money',
  declined: 'Declined a request for money',
  cancelled: 'Cancelled a request for money',
  invitation: 'Invitation to a payment service',
} as const satisfies Record<NonNullable<Message['payment']>['kind'], string>;

const joined = (facts: readonly string[]) => facts.filter((fact) => fact !== '').join(' · ');
const itemsOf = (count: number) => (count === 1 ? '1 item' : `${count} items`);
const priceOf = ({ amount, currency }: { amount: string | null; currency: string | null }) =>
  amount === null ? '' : `${amount} ${currency ?? ''}`.trim();
const durationOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;

function Poll({ poll }: { poll: NonNullable<Message['poll']> }) {
  const chosenBy = (option: string) => poll.votes.filter((vote) => vote.options.includes(option));
  return (
    <ContentBox icon={<ListChecks />} title={poll.question}>
      <ul aria-label="Options" className="mt-1 space-y-1 text-chat-ink">
        {poll.options.map((option) => {
          const votes = chosenBy(option);
          return (
            <li key={option} className="flex items-baseline justify-between gap-3">
              <span className="wrap-anywhere">{option}</span>
              {votes.length > 0 && (
                <span className="shrink-0 text-12 font-medium">
                  {votes.map(({ from_me: isOwn }) => (isOwn ? 'You' : 'Them')).join(', ')}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <span className="mt-1 block">
        {joined([poll.multiple ? 'Several answers' : 'One answer', poll.votes.length === 0 ? 'No votes yet' : ''])}
      </span>
    </ContentBox>
  );
}

/** The context of a message, above its content. */
export function ContextMarks({ context }: { context: Message['context'] }) {
  if (context === null) return null;
  const { referral } = context;
  return (
    <>
      {referral !== null && (
        <ContentBox icon={<Megaphone />} title={referral.headline ?? 'Came by an advertisement'}>
          {referral.body !== null && <span className="block">{referral.body}</span>}
          {joined([referral.source_type ?? '', referral.source_id ?? ''])}
        </ContentBox>
      )}
      {context.forwarded && <Mark icon={<Forward />}>Forwarded</Mark>}
      {context.broadcast && <Mark icon={<Radio />}>Broadcast list</Mark>}
      {context.view_once && <Mark icon={<Eye />}>To be seen once</Mark>}
    </>
  );
}

function Mark({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <span className="flex items-center gap-1 text-12 text-chat-meta italic [&>svg]:size-3.5">
      <span aria-hidden="true" className="[&>svg]:size-3.5">
        {icon}
      </span>
      {children}
    </span>
  );
}
