import { Link } from '@tanstack/react-router';
import {
  Activity,
  ArrowDownLeft,
  ArrowUpRight,
  BellOff,
  BellRing,
  LogIn,
  LogOut,
  Megaphone,
  MousePointerClick,
  Pencil,
  Send,
  StickyNote,
  UserPlus,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { TimelineEntry } from '#contracts/timeline.ts';
import { EventProperties } from '#web/shared/events/event-properties.tsx';
import { paths } from '#web/shared/paths.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { StatusBadge, statusWord } from '#web/shared/ui/status-badge.tsx';

type Of<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

const messageIcons = {
  campaign: <Megaphone aria-hidden="true" />,
  flow: <Workflow aria-hidden="true" />,
  bulk_run: <Send aria-hidden="true" />,
} as const;

export function EntryIcon({ entry }: { entry: TimelineEntry }): ReactNode {
  switch (entry.kind) {
    case 'message':
      if (entry.direction === 'incoming') return <ArrowDownLeft aria-hidden="true" />;
      return (
        Object.entries(messageIcons).find(([source]) => source === entry.source)?.[1] ?? (
          <ArrowUpRight aria-hidden="true" />
        )
      );
    case 'event':
      return <Activity aria-hidden="true" />;
    case 'segment':
      return entry.state === 'joined' ? <LogIn aria-hidden="true" /> : <LogOut aria-hidden="true" />;
    case 'consent':
      return entry.state === 'opted_in' ? <BellRing aria-hidden="true" /> : <BellOff aria-hidden="true" />;
    case 'note':
      return <StickyNote aria-hidden="true" />;
    case 'change':
      return <Pencil aria-hidden="true" />;
    case 'created':
      return <UserPlus aria-hidden="true" />;
  }
}

export function EntryWords({ entry }: { entry: TimelineEntry }): ReactNode {
  switch (entry.kind) {
    case 'message':
      return <MessageWords entry={entry} />;
    case 'event':
      return (
        <>
          <p className="font-medium wrap-anywhere">
            <bdi>{entry.event}</bdi>
          </p>
          <EventProperties properties={entry.properties} />
        </>
      );
    case 'segment':
      return (
        <p className="wrap-anywhere">
          {entry.state === 'joined' ? 'Joined ' : 'Left '}
          <Link to={paths.segment} params={{ segmentId: String(entry.segment_id) }} className={linkClass}>
            <bdi>{entry.segment_name}</bdi>
          </Link>
        </p>
      );
    case 'consent':
      return <ConsentWords entry={entry} />;
    case 'note':
      return (
        <>
          <p className="wrap-anywhere">
            Note
            {entry.author !== null && (
              <>
                {' '}
                by <bdi>{entry.author}</bdi>
              </>
            )}
            <span className="text-muted"> · </span>
            <Link to={paths.inbox} search={{ conversation: entry.conversation_id }} className={linkClass}>
              Conversation
            </Link>
          </p>
          <Quote text={entry.text} />
        </>
      );
    case 'change':
      return <ChangeWords entry={entry} />;
    case 'created':
      return (
        <p>
          Profile created
          {entry.actor !== null && (
            <>
              {' '}
              by <bdi>{entry.actor}</bdi>
            </>
          )}
        </p>
      );
  }
}

const linkClass = 'rounded-small font-medium hover:text-accent-ink hover:underline';

function Quote({ text }: { text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <p dir="auto" className="line-clamp-4 text-left text-13 whitespace-pre-line wrap-anywhere text-muted">
      {text}
    </p>
  );
}

function MessageWords({ entry }: { entry: Of<'message'> }) {
  const { direction, status, type, text, clicks } = entry;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
        <span>
          <Source entry={entry} />
          {type !== 'text' && <span className="text-muted"> · {statusWord(type)}</span>}
        </span>
        {direction === 'outgoing' && <StatusBadge kind="message" status={status} />}
      </p>
      <Quote text={text} />
      {clicks.map(({ url, at }) => (
        <p key={url} className="flex items-baseline gap-1.5 text-13 wrap-anywhere">
          <MousePointerClick aria-hidden="true" className="size-3.5 shrink-0 translate-y-0.5 text-muted" />
          <span>
            Opened <span className="text-muted">{url}</span> on {formatDateTime(at)}
          </span>
        </p>
      ))}
    </>
  );
}

function Source({ entry }: { entry: Of<'message'> }) {
  const { direction, source, source_id: id, source_name: name } = entry;
  if (direction === 'incoming') return 'Message received';
  if (id === null) return source === 'opt_out' ? 'Confirmation sent' : 'Message sent';
  const shown = <bdi>{name}</bdi>;
  if (source === 'campaign') {
    if (name === null) return 'Campaign';
    return (
      <>
        Campaign{' '}
        <Link to={paths.campaign} params={{ campaignId: String(id) }} className={linkClass}>
          {shown}
        </Link>
      </>
    );
  }
  if (source === 'flow') {
    if (name === null) return 'Flow';
    return (
      <>
        Flow{' '}
        <Link to={paths.flow} params={{ flowId: String(id) }} className={linkClass}>
          {shown}
        </Link>
      </>
    );
  }
  if (name === null) return 'Bulk run';
  return (
    <>
      Bulk run{' '}
      <Link to={paths.bulkRun} params={{ runId: String(id) }} className={linkClass}>
        {shown}
      </Link>
    </>
  );
}

const byWords: Readonly<Record<Of<'consent'>['by'], string>> = {
  reply: 'by a reply',
  page: 'on the preferences page',
  user: 'in the dashboard',
  api: 'by API',
  import: 'by import',
};

function ConsentWords({ entry }: { entry: Of<'consent'> }) {
  const { state, topic_name: topic, by, note, evidence_text: evidence } = entry;
  const isIn = state === 'opted_in';
  const what = topic === null ? (isIn ? 'Opted in again' : 'Opted out') : isIn ? 'Opted in to ' : 'Opted out of ';
  return (
    <>
      <p className="wrap-anywhere">
        {what}
        {topic !== null && <bdi className="font-medium">{topic}</bdi>}
        <span className="text-muted"> {byWords[by]}</span>
      </p>
      <Quote text={evidence} />
      <Quote text={note} />
    </>
  );
}

const actWords: Readonly<Record<string, string>> = {
  'profile.changed': 'Profile changed',
  'profile.saved': 'Profile saved',
};

function ChangeWords({ entry }: { entry: Of<'change'> }) {
  const { action, actor, changes } = entry;
  return (
    <>
      <p className="wrap-anywhere">
        {actWords[action] ?? statusWord(action.replace('.', '_'))}
        {actor !== null && (
          <span className="text-muted">
            {' by '}
            <bdi>{actor}</bdi>
          </span>
        )}
      </p>
      {changes.length > 0 && (
        <ul className="grid gap-0.5 text-13 text-muted">
          {changes.map(({ field, before, after, hidden }) => (
            <li key={field} className="wrap-anywhere">
              {statusWord(field)}
              {hidden ? ' changed' : `: ${valueText(before)} to ${valueText(after)}`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
