import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone, Shapes, Workflow, type LucideIcon } from 'lucide-react';
import type { SegmentUse } from '#contracts/segments.ts';
import { paths } from '#web/shared/paths.ts';
import { useCan } from '#web/shared/session.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { GrowthCard } from './segment-growth.tsx';
import { segmentUsageQuery, segmentUsesQuery } from './segment-queries.ts';

const kinds: Readonly<Record<SegmentUse['type'], string>> = { segment: 'Segment', flow: 'Flow', campaign: 'Campaign' };

/** Undefined, too, for somebody who may not read campaigns: they are told nothing of it. */
function useUsage(segmentId: number) {
  const can = useCan();
  return useQuery({ ...segmentUsageQuery(segmentId), enabled: can('campaigns:read') });
}

/** So many are named in a sentence. */
const named = 3;

/** 'The flow “Win back” and 2 more' of some; undefined of none. */
function usesWords(uses: readonly SegmentUse[], total = uses.length): string | undefined {
  const names = uses.slice(0, named).map(({ type, name }) => `the ${type} “${name}”`);
  const more = total - names.length;
  if (more > 0) names.push(`${more.toLocaleString('en')} more`);
  const last = names.pop();
  if (last === undefined) return undefined;
  const words = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A sentence for a form that changes the segment: nothing where nothing goes by it. */
export function UsageNote({ segmentId }: { segmentId: number }) {
  const { data } = useUsage(segmentId);
  const words = data && usesWords(data.data, data.total);
  if (data === undefined || words === undefined) return null;
  const goes = data.total === 1 ? 'goes' : 'go';
  return (
    <p className="text-13 text-muted wrap-anywhere">
      {words} {goes} by this segment: saving changes whom {data.total === 1 ? 'it reaches' : 'they reach'}.
    </p>
  );
}

const icons: Readonly<Record<SegmentUse['type'], LucideIcon>> = {
  segment: Shapes,
  flow: Workflow,
  campaign: Megaphone,
};

/** The first of it in a line of a list, and how much more there is. */
export function UsedBy({ segmentId }: { segmentId: number }) {
  const can = useCan();
  const { data, isLoading } = useQuery({ ...segmentUsesQuery(segmentId), enabled: can('campaigns:read') });
  if (data === undefined) return isLoading ? '...' : null;
  const [first] = data.uses;
  if (first === undefined) return <span className="text-muted">Nowhere</span>;
  const Icon = icons[first.type];
  return (
    <span title={usesWords(data.uses, data.total)} className="flex min-w-0 gap-1 max-[720px]:justify-end">
      <Tag icon={<Icon aria-hidden="true" className="shrink-0" />}>
        <span className="sr-only">{kinds[first.type]} </span>
        <bdi className="max-w-24 truncate max-[720px]:max-w-44">{first.name}</bdi>
      </Tag>
      {data.total > 1 && <Tag>+{(data.total - 1).toLocaleString('en')}</Tag>}
    </span>
  );
}

/** The consequence of deleting it, by what goes by it. */
export function DeletionConsequence({ segmentId }: { segmentId: number }) {
  const { data } = useUsage(segmentId);
  const uses = data?.data ?? [];
  const [refusing, failing] = [usesOf(uses, 'refused'), usesOf(uses, 'fails')];
  const refusal = usesWords(refusing);
  if (refusal !== undefined) {
    return (
      <>
        {refusal} {refusing.length === 1 ? 'goes' : 'go'} by this segment. It can be deleted once nothing does any more.
      </>
    );
  }
  const failure = usesWords(failing);
  if (failure === undefined) {
    return data === undefined || uses.length > 0 ? (
      <>Its profiles stay. A campaign that is still waiting for this segment fails.</>
    ) : (
      <>Its profiles stay. No segment, flow or campaign goes by it.</>
    );
  }
  return (
    <>
      Its profiles stay. {failure} {failing.length === 1 ? 'still waits' : 'still wait'} for this segment and will fail.
    </>
  );
}

const usesOf = (uses: readonly SegmentUse[], when: SegmentUse['when_deleted']) =>
  uses.filter(({ when_deleted: each }) => each === when);

/** Beside the editor of a segment: how it grew, and all that goes by it. */
export function SegmentCards({ segmentId }: { segmentId: number }) {
  return (
    <>
      <GrowthCard segmentId={segmentId} />
      <UsageCard segmentId={segmentId} />
    </>
  );
}

/** All that goes by the segment. */
export function UsageCard({ segmentId }: { segmentId: number }) {
  const { data } = useUsage(segmentId);
  if (data === undefined) return null;
  const finished = data.finished_campaigns;
  return (
    <Card title="Used by">
      {data.data.length === 0 && <p className="text-13 text-muted">No segment, flow or campaign goes by it now.</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2 text-13">
        {data.data.map((use) => (
          <li key={`${use.type} ${use.id}`} className="flex justify-between gap-3">
            <UseLink use={use} />
            <span className="shrink-0 text-muted">
              {kinds[use.type]}
              {use.status !== null && `, ${use.status}`}
            </span>
          </li>
        ))}
      </ul>
      {data.total > data.data.length && (
        <p className="mt-2 text-12 text-muted">And {(data.total - data.data.length).toLocaleString('en')} more.</p>
      )}
      {finished > 0 && (
        <p className="mt-3 text-12 text-muted">
          {finished.toLocaleString('en')} {finished === 1 ? 'campaign that is over' : 'campaigns that are over'} went by
          it.
        </p>
      )}
    </Card>
  );
}

function UseLink({ use: { type, id, name } }: { use: SegmentUse }) {
  const className = 'min-w-0 rounded-small font-medium wrap-anywhere hover:text-accent-ink hover:underline';
  const label = <bdi>{name}</bdi>;
  if (type === 'flow')
    return (
      <Link to={paths.flow} params={{ flowId: String(id) }} className={className}>
        {label}
      </Link>
    );
  if (type === 'campaign')
    return (
      <Link to={paths.campaign} params={{ campaignId: String(id) }} className={className}>
        {label}
      </Link>
    );
  return (
    <Link to={paths.segment} params={{ segmentId: String(id) }} className={className}>
      {label}
    </Link>
  );
}
