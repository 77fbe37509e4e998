import { Clock, Database, Smartphone } from 'lucide-react';
import { phonesStayLinkedDays } from '#contracts/billing.ts';
import { useNow } from '#web/shared/use-now.ts';
import type { Lapse } from './lapse.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const linked = {
  title: `Phones stay linked for ${phonesStayLinkedDays} days`,
  text: 'Until then there is no code to scan again.',
};
const signedOut = {
  title: `Phones stayed linked for ${phonesStayLinkedDays} days`,
  text: 'They are signed out since. Each is linked again by scanning its code.',
};

/** Lists the data that a former subscriber comes back to. */
export function KeptList({ since }: Pick<Lapse, 'since'>) {
  const now = useNow(minuteMs);
  const isOver = since !== null && now - Date.parse(since) > phonesStayLinkedDays * dayMs;
  const kept = [
    {
      icon: Database,
      title: 'Nothing is deleted',
      text: 'Your project, profiles, segments and records are as you left them.',
    },
    { icon: Smartphone, ...(isOver ? signedOut : linked) },
    { icon: Clock, title: 'Queued messages wait', text: 'They go out once you subscribe again.' },
  ];
  return (
    <ul aria-label="What is kept" className="mt-8 divide-y border-y max-[900px]:mt-0">
      {kept.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex gap-3 py-4">
          <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-ink" />
          <div>
            <p className="font-medium">{title}</p>
            <p className="mt-0.5 text-pretty text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
