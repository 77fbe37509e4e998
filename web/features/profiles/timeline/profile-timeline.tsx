import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowDownLeft, ArrowUpRight, BellOff, BellRing, Megaphone, UserPlus, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import type { Profile } from '#contracts/profiles.ts';
import { callApi } from '#web/shared/api.ts';
import { paths } from '#web/shared/paths.ts';
import { campaignQuery, noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { eventWords } from '../opt-out/event-words.ts';
import { messageLimit, profileMessagesQuery, suppressionQuery } from '../profile-queries.ts';
import { timelineEntries, type TimelineEntry } from './timeline-entries.ts';

/** The history of a person: messages and their sources, answers, opt-outs. */
export function ProfileTimeline({ profile }: { profile: Profile }) {
  const { data: messages, error } = useQuery(profileMessagesQuery(profile.id));
  const { data: suppression } = useQuery(suppressionQuery(profile.phone));
  const isWhole = (messages?.length ?? 0) < messageLimit;
  const names = useSourceNames(messages ?? []);
  if (messages === undefined && error !== null) return null;
  return (
    <Card title="Timeline">
      {messages === undefined ? (
        <div role="status" aria-label="Loading timeline..." className="grid gap-3">
          <Skeleton className="h-3 w-3/5" />
          <Skeleton className="h-3 w-2/5" />
        </div>
      ) : (
        <ol className="grid gap-3">
          {timelineEntries({ profile, messages, log: suppression?.log ?? [] }, isWhole).map((entry) => (
            <li key={entry.key} className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-baseline gap-x-2.5">
              <span className="translate-y-0.5 text-muted [&>svg]:size-4">{iconOf(entry)}</span>
              <div className="min-w-0">
                <EntryWords entry={entry} names={names} />
              </div>
              <span className="text-12 text-muted">
                <DateTime at={entry.at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

type Names = { campaigns: ReadonlyMap<number, string>; flows: ReadonlyMap<number, string> };

/** Of the campaigns and flows that sent the messages; one that is deleted has none. */
function useSourceNames(messages: readonly Message[]): Names {
  const idsOf = (key: 'campaign_id' | 'flow_id') => [...new Set(messages.flatMap((message) => message[key] ?? []))];
  const campaignIds = idsOf('campaign_id');
  const flowIds = idsOf('flow_id');
  const campaigns = useQueries({ queries: campaignIds.map((id) => ({ ...campaignQuery(id), retry: false })) });
  const flows = useQueries({
    queries: flowIds.map((flowId) => ({
      queryKey: [...queryKeys.flows, flowId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callApi('GET /api/flows/{flowId}', { params: { flowId } }, { signal }),
      placeholderData: noPlaceholder,
      retry: false,
    })),
  });
  return {
    campaigns: new Map(campaigns.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name]]))),
    flows: new Map(flows.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name]]))),
  };
}

function iconOf(entry: TimelineEntry): ReactNode {
  if (entry.kind === 'created') return <UserPlus aria-hidden="true" />;
  if (entry.kind === 'opt') {
    return entry.event.action === 'opted_out' ? <BellOff aria-hidden="true" /> : <BellRing aria-hidden="true" />;
  }
  if (entry.kind === 'received') return <ArrowDownLeft aria-hidden="true" />;
  if (entry.message.campaign_id !== null) return <Megaphone aria-hidden="true" />;
  return entry.message.flow_id === null ? <ArrowUpRight aria-hidden="true" /> : <Workflow aria-hidden="true" />;
}

const linkClass = 'rounded-small font-medium hover:text-accent-ink hover:underline';

function EntryWords({ entry, names }: { entry: TimelineEntry; names: Names }) {
  if (entry.kind === 'created') return 'Profile created';
  if (entry.kind === 'opt') return <span className="wrap-anywhere">{eventWords(entry.event)}</span>;
  const { message } = entry;
  return (
    <>
      <p className="wrap-anywhere">
        <Source message={message} names={names} />
        {entry.kind === 'sent' && <span className="text-muted"> · {statusWord(message.status)}</span>}
      </p>
      <p dir="auto" className="line-clamp-2 text-left text-13 wrap-anywhere text-muted">
        {message.message}
      </p>
    </>
  );
}

function Source({ message, names }: { message: Message; names: Names }) {
  const { campaign_id: campaignId, flow_id: flowId } = message;
  if (message.direction === 'incoming') return 'Message received';
  if (campaignId !== null) {
    const name = names.campaigns.get(campaignId);
    if (name === undefined) return 'Campaign';
    return (
      <>
        Campaign{' '}
        <Link to={paths.campaign} params={{ campaignId: String(campaignId) }} className={linkClass}>
          <bdi>{name}</bdi>
        </Link>
      </>
    );
  }
  if (flowId === null) return 'Message sent';
  const name = names.flows.get(flowId);
  if (name === undefined) return 'Flow';
  return (
    <>
      Flow{' '}
      <Link to={paths.editFlow} params={{ flowId: String(flowId) }} className={linkClass}>
        <bdi>{name}</bdi>
      </Link>
    </>
  );
}
