import type { PhoneHealth, PhoneHealthHistory } from '#contracts/phone-health.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { WarmUpChart } from './warm-up-chart.tsx';

type WarmUp = NonNullable<PhoneHealthHistory['warm_up']>;

export function WarmUpCard({ warmUp, health }: { warmUp: WarmUp; health: PhoneHealth }) {
  return (
    <Card
      title="Warm-up"
      description="First contacts a day since linking"
      actions={<span className="text-13 text-muted max-sm:w-full">{nextText(warmUp, health)}</span>}
    >
      <WarmUpChart warmUp={warmUp} isHeld={isHeld(warmUp, health)} />
    </Card>
  );
}

const lastDay = ({ steps }: WarmUp) => steps.at(-1)?.from_day ?? 1;

const isWarm = (warmUp: WarmUp) => warmUp.day >= lastDay(warmUp);

const isHeld = (warmUp: WarmUp, health: PhoneHealth) =>
  health.is_protected && !isWarm(warmUp) && warmUp.next_step_on === null;

function nextText(warmUp: WarmUp, health: PhoneHealth): string {
  if (isWarm(warmUp)) return 'Warm: no more steps';
  if (!health.is_protected) return 'Protection is off';
  return warmUp.next_step_on === null ? 'No step for now' : `Next step on ${formatLongDate(warmUp.next_step_on)}`;
}
