import type { Campaign } from '#contracts/campaigns.ts';
import { Progress } from '#web/shared/ui/progress.tsx';
import { useSession } from '#web/shared/session.ts';
import { waitingWords } from '#web/shared/waiting-words.ts';
import { formatInZone } from './format-in-zone.ts';
import { sentShare } from './campaign-state.ts';

/** How many of all have got it; what became of the others shows in the bar. */
export function ProgressCell({ campaign }: { campaign: Campaign }) {
  return (
    <div className="w-40 text-left min-[720px]:w-24 lg:w-28 xl:w-32 min-[87.5rem]:w-40">
      <Bar campaign={campaign} />
      <Delay campaign={campaign} />
    </div>
  );
}

function Bar({ campaign }: { campaign: Campaign }) {
  const { name, sent_count, failed_count, skipped_count, total_count } = campaign;
  return (
    <Progress
      label={`Progress of ${name}`}
      sent={sent_count}
      failed={failed_count}
      skipped={skipped_count}
      total={total_count}
      share="sent"
    >
      <p className="flex flex-wrap justify-between gap-x-2 text-12 tabular-nums">
        <span className="font-medium whitespace-normal">
          {sent_count.toLocaleString('en')}/<wbr />
          {total_count.toLocaleString('en')}
        </span>
        <span className="text-muted">{Math.floor(sentShare(campaign) * 100)}%</span>
      </p>
    </Progress>
  );
}

/** The reason why the campaign waits or failed. */
function Delay({ campaign }: { campaign: Campaign }) {
  const { status, error, waiting_for, waiting_until, when, started_at } = campaign;
  const { user } = useSession();
  if ((status === 'failed' || status === 'paused') && error !== null) {
    return (
      <p title={error} className="mt-0.5 truncate text-12 text-red-ink">
        {error}
      </p>
    );
  }
  if (status === 'scheduled' && when !== null) {
    const start = formatInZone(when, user?.timezone);
    return (
      <p title={`Starts ${start}`} className="line-clamp-2 text-12 whitespace-normal text-muted">
        Starts <time dateTime={when}>{start}</time>
      </p>
    );
  }
  if (status === 'paused' && when !== null && started_at === null) {
    return (
      <p className="line-clamp-2 text-12 whitespace-normal text-muted">
        Resumed, it starts <time dateTime={when}>{formatInZone(when, user?.timezone)}</time>, or at once after that
      </p>
    );
  }
  if (waiting_for === null) return null;
  const { short, remedy } = waitingWords(waiting_for, waiting_until);
  return (
    <p title={`${short}. ${remedy}`} className="mt-0.5 truncate text-12 text-yellow-ink">
      {short}
    </p>
  );
}
