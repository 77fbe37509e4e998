import type { Notification } from './notifications.ts';
import type { Outage, PayPalStandIn } from './stand-in.ts';
import type { Subscription } from './subscription.ts';

const outages: readonly Outage[] = ['none', 'refused', 'hang', 'drip', 'nonsense', 404, 429, 500, 503];

type Command = { does: string; run(paypal: PayPalStandIn, word: string): unknown };

/** The commands for trying the product by hand, each a word and at most one argument. */
const commands: Readonly<Record<string, Command>> = {
  outage: {
    does: `${outages.join(', ')}: how PayPal answers from now on`,
    run({ faults }, word) {
      const outage = outages.find((each) => String(each) === word);
      if (outage === undefined) throw new Error(`One of ${outages.join(', ')}`);
      faults.outage = outage;
    },
  },
  slow: { does: 'milliseconds before each answer', run: ({ faults }, word) => (faults.delayMs = count(word)) },
  lose: { does: 'events are never delivered', run: ({ notifications }) => (notifications.faults.areLost = true) },
  hold: { does: 'events wait for release', run: ({ notifications }) => (notifications.faults.areHeld = true) },
  repeat: {
    does: 'how often each event comes',
    run: ({ notifications }, word) => (notifications.faults.times = count(word)),
  },
  deliver: {
    does: 'events are delivered again, once each',
    run: ({ notifications }) => Object.assign(notifications.faults, { areLost: false, areHeld: false, times: 1 }),
  },
  release: {
    does: 'held events come, the last one first',
    run: ({ notifications }) => notifications.release(reversed),
  },
  broke: { does: 'the payer’s card is refused from now on', run: (paypal) => (newest(paypal).hasFunds = false) },
  bill: { does: 'the next payment falls due now', run: bill },
  settle: { does: 'the payer pays what is owed', run: (paypal) => paypal.ledger.settleDebt(newest(paypal)) },
  suspend: { does: 'the subscription is suspended', run: (paypal) => paypal.ledger.suspend(newest(paypal)) },
  activate: { does: 'a suspended one goes on', run: (paypal) => paypal.ledger.activate(newest(paypal)) },
  cancel: { does: 'the payer cancels at PayPal', run: (paypal) => paypal.ledger.cancel(newest(paypal)) },
  refund: {
    does: 'the last payment is given back',
    run: (paypal) => paypal.ledger.refund(newest(paypal), newest(paypal).transactions.at(-1)?.id ?? ''),
  },
};

export const helpText = Object.entries(commands)
  .map(([name, { does }]) => `${name.padEnd(9)} ${does}`)
  .join('\n');

/** Does what a line says to the newest subscription, or to all of PayPal; answers what there is to tell. */
export async function runCommand(paypal: PayPalStandIn, line: string): Promise<string> {
  const [name = '', word = ''] = line.trim().split(/\s+/);
  if (name === '') return '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return helpText;
  try {
    await command.run(paypal, word);
    return [...paypal.ledger.subscriptions.values()].map(describe).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

function bill(paypal: PayPalStandIn): void {
  newest(paypal).nextBillingAt = new Date();
  paypal.ledger.runDue();
}

function newest({ ledger }: PayPalStandIn): Subscription {
  const subscription = [...ledger.subscriptions.values()].at(-1);
  if (!subscription) throw new Error('There is no subscription yet');
  return subscription;
}

function count(word: string): number {
  if (!/^\d{1,6}$/.test(word)) throw new Error('A number is expected');
  return Number(word);
}

const reversed = (held: Notification[]) => held.toReversed();

function describe({ id, status, hasFunds, transactions }: Subscription): string {
  const payments = transactions.map((transaction) => transaction.status.toLowerCase()).join(', ');
  return `${id} ${status}${hasFunds ? '' : ', card refused'}${payments && `: ${payments}`}`;
}
