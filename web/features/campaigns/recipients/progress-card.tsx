import { Link } from '@tanstack/react-router';
import type { Campaign } from '#contracts/campaigns.ts';
import { paths } from '#web/shared/paths.ts';
import { useSession } from '#web/shared/session.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { LedgerCounts, NamedFact } from '#web/shared/ui/ledger-counts.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { WaitingNotice } from '#web/shared/waiting-notice.tsx';
import { formatInZone } from '../format-in-zone.ts';
import { sentShare } from '../campaign-state.ts';
import { useTimeLeft } from './use-time-left.ts';

type ProgressCardProps = {
  campaign: Campaign;
  /** Its figures stand elsewhere on the page. */
  isReported?: boolean;
};

/** How far it has come, and when it began and ended. */
export function ProgressCard({ campaign, isReported = false }: ProgressCardProps) {
  const { sent_count, failed_count, skipped_count, total_count } = campaign;
  const share = total_count > 0 && <span>{Math.floor(sentShare(campaign) * 100)}% sent</span>;
  return (
    <Card
      title="Progress"
      actions={
        <Link
          to={paths.project}
          params={{ projectId: String(campaign.project_id) }}
          search={{ campaign: campaign.id }}
          hash="messages"
          className={buttonClass('secondary', 'small')}
        >
          View messages
        </Link>
      }
    >
      <div className="grid gap-4">
        {isReported ? (
          <p className="flex flex-wrap justify-between gap-x-4 text-13 text-muted tabular-nums">
            {share}
            <TimeLeft campaign={campaign} />
          </p>
        ) : (
          <Progress
            label={`Progress of ${campaign.name}`}
            sent={sent_count}
            failed={failed_count}
            skipped={skipped_count}
            total={total_count}
            share="sent"
          >
            <LedgerCounts counts={campaign}>
              {share}
              <TimeLeft campaign={campaign} />
            </LedgerCounts>
          </Progress>
        )}
        <Times campaign={campaign} />
      </div>
      <Announcement campaign={campaign} />
    </Card>
  );
}

function TimeLeft({ campaign }: { campaign: Campaign }) {
  const text = useTimeLeft(campaign);
  return text !== undefined && <span className="sm:ml-auto">{text}</span>;
}

/** Why it does not go on, or why it failed. */
export function CampaignDelay({
  campaign: { status, error, waiting_for, waiting_until, project_id },
}: {
  campaign: Campaign;
}) {
  if (status === 'failed' && error !== null) {
    return (
      <Notice color="red" title="The campaign failed">
        {error}
      </Notice>
    );
  }
  if (status === 'paused' && error !== null) {
    return (
      <Notice color="yellow" title="The campaign was paused">
        {error}
      </Notice>
    );
  }
  if (waiting_for === null) return null;
  return <WaitingNotice reason={waiting_for} until={waiting_until} projectId={project_id} />;
}

function Times({ campaign: { status, when, duration, created_at, started_at, finished_at } }: { campaign: Campaign }) {
  const { user } = useSession();
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-1.5 text-13">
      <NamedFact name="Created">
        <DateTime at={created_at} />
      </NamedFact>
      {started_at === null && when !== null && (
        <NamedFact name={status === 'scheduled' ? 'Starts' : 'Was to start'}>
          <time dateTime={when}>{formatInZone(when, user?.timezone)}</time>
        </NamedFact>
      )}
      {started_at !== null && (
        <NamedFact name="Started">
          <DateTime at={started_at} />
        </NamedFact>
      )}
      {finished_at !== null && (
        <NamedFact name="Finished">
          <DateTime at={finished_at} />
        </NamedFact>
      )}
      {duration !== null && <NamedFact name="Spread over">{spanText(duration)}</NamedFact>}
    </dl>
  );
}

/** `90 minutes`, `24 hours`, `30 days` */
function spanText(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes.toLocaleString('en')} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const hours = minutes / 60;
  if (hours > 24 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

/** The same figure as the one to be seen. */
function Announcement({ campaign }: { campaign: Campaign }) {
  return (
    <p role="status" className="sr-only">
      {statusWord(campaign.status)}, {Math.floor(sentShare(campaign) * 100)}% sent.
    </p>
  );
}
