import type { PhoneHealth } from '#contracts/phone-health.ts';
import { usageColor } from '#web/shared/daily-usage.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { UsageBar } from '#web/shared/ui/usage.tsx';
import { isStopped } from '#web/shared/ui/health-badge.tsx';

type Kind = keyof PhoneHealth['allowances'];

const kinds: readonly { kind: Kind; name: string; hint: string }[] = [
  {
    kind: 'first_contacts',
    name: 'First contacts',
    hint: 'People who never wrote to this number: one every 45 to 120 seconds, at most 30 an hour, in their daytime.',
  },
  {
    kind: 'known',
    name: 'Known contacts',
    hint: 'People who have: up to 8 a minute and 200 an hour. The day begins at 09:00.',
  },
];

export function Allowances({ health }: { health: PhoneHealth }) {
  return (
    <div className="grid border-t md:grid-cols-2 md:divide-x max-md:divide-y">
      {kinds.map(({ kind, name, hint }) => (
        <section key={kind} aria-label={`${name} today`} className="grid content-start gap-2 px-4 py-4 sm:px-5">
          <div className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
            <h3 className="min-w-0 flex-1 text-14">{name}</h3>
            <Used health={health} kind={kind} />
          </div>
          <Meter health={health} kind={kind} name={name} />
          <p className="text-13 text-pretty text-muted">{hintOf(health, kind) ?? hint}</p>
        </section>
      ))}
    </div>
  );
}

function Used({ health, kind }: { health: PhoneHealth; kind: Kind }) {
  const { used, allowed } = health.allowances[kind];
  if (isHeld(health, kind)) {
    return (
      <>
        <strong className="text-16">Stopped</strong>
        {health.until !== null && <span className="text-muted">until {formatDateTime(health.until)}</span>}
      </>
    );
  }
  return (
    <>
      <strong className="text-16">{used.toLocaleString('en')}</strong>
      <span className="text-muted">
        {health.is_protected ? `of ${allowed.toLocaleString('en')} today` : 'today, without a limit'}
      </span>
    </>
  );
}

function Meter({ health, kind, name }: { health: PhoneHealth; kind: Kind; name: string }) {
  const { used, allowed } = health.allowances[kind];
  if (!health.is_protected || allowed === 0 || isHeld(health, kind)) {
    return <span aria-hidden="true" className="block h-1 rounded-full bg-gray-wash" />;
  }
  return (
    <div
      role="meter"
      aria-label={`${name} used today`}
      aria-valuemin={0}
      aria-valuemax={allowed}
      aria-valuenow={Math.min(used, allowed)}
      data-usage={usageColor(used, allowed)}
    >
      <UsageBar count={used} maximum={allowed} />
    </div>
  );
}

/** Whether nothing queued goes to them now. */
function isHeld(health: PhoneHealth, kind: Kind): boolean {
  if (health.state === 'warming') return kind === 'first_contacts' && health.code === 'linked_recently';
  if (!isStopped(health)) return false;
  const isAll = health.state === 'locked' || health.code === 'known_refused' || health.code === 'nothing_delivered';
  return isAll || kind === 'first_contacts';
}

function hintOf(health: PhoneHealth, kind: Kind): string | undefined {
  if (!health.is_protected) return 'Protection is off: everything goes as fast as the connection takes it.';
  if (!isStopped(health)) return undefined;
  if (!isHeld(health, kind)) return 'Go on as before. If WhatsApp refuses one of them, this number stops.';
  if (health.state === 'capped') return 'They go on with the next cycle.';
  return 'Then one message goes out alone. Once it is delivered: a quarter of the allowance, doubling daily.';
}
