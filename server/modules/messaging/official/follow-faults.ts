import { adviceFor, consequenceOf, unknownInARow } from '#server/connectors/messaging/cloud/faults.ts';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { noteMarketingPreference } from '#server/modules/audience/suppressions/index.ts';
import type { MessageRow } from '#server/modules/messaging/messages/index.ts';
import { faultHold, holdNumber } from '#server/modules/numbers/phones/index.ts';

/** A message of a phone that Meta failed with this code after it had taken it; undefined: one that went its way. */
export type Told = { row: MessageRow; phoneId: number; fault: { code: number; at: Date } | undefined };

/** Does for faults that come after the answer what the session does for those that are the answer. */
export type FaultWatch = { follow(ctx: Context, told: readonly Told[]): Promise<void> };

type InARow = { code: number; people: Set<string> };

const mended = 'Nothing more goes out until a test of the number says that all is right.';

export function createFaultWatch(): FaultWatch {
  const unknown = new Map<number, InARow>();

  /** Whether the same code, which nobody knows, was the fate of so many people in a row. */
  function isOneTooMany(phoneId: number, code: number, to: string): boolean {
    const known = unknown.get(phoneId);
    const row = known?.code === code ? known : { code, people: new Set<string>() };
    row.people.add(to);
    unknown.set(phoneId, row);
    return row.people.size >= unknownInARow;
  }

  async function followOne(ctx: Context, { row, phoneId, fault }: Told): Promise<void> {
    const consequence = fault && consequenceOf(fault.code);
    if (consequence?.kind !== 'unknown') unknown.delete(phoneId);
    if (!fault || !consequence) return;
    const { account_id: accountId } = row;
    const to = row.recipient ?? `${lidPrefix}${row.from_lid}`;
    const hold = {
      accountId,
      phoneId,
      scope: 'all',
      reason: row.error ?? adviceFor({ ...fault, message: '', details: null }),
    } as const;
    switch (consequence.kind) {
      case 'marketing_stopped':
        return inTransaction(ctx, (tx) =>
          noteMarketingPreference(tx, { accountId, phone: to, isStopped: true, at: fault.at }),
        );
      case 'hold': {
        const until = new Date(ctx.clock.now().getTime() + consequence.ms);
        return holdNumber(ctx, { ...hold, source: 'pace', until });
      }
      case 'unknown':
        if (!isOneTooMany(phoneId, fault.code, to)) return;
        unknown.delete(phoneId);
        break;
      case 'stop':
        break;
    }
    await holdNumber(ctx, { ...hold, source: faultHold, reason: `${hold.reason} ${mended}`, until: null });
  }

  return {
    async follow(ctx, told) {
      const stopped = new Set<number>();
      for (const one of told) {
        const stops = one.fault && consequenceOf(one.fault.code)?.kind === 'stop';
        if (stops && stopped.has(one.phoneId)) continue;
        if (stops) stopped.add(one.phoneId);
        await followOne(ctx, one);
      }
    },
  };
}
