import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
import { useWatch } from 'react-hook-form';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { SegmentCondition } from '#contracts/conditions.ts';
import type { Segment, SegmentMember } from '#contracts/segments.ts';
import { errorText } from '#web/shared/api-error.ts';
import { needsValue } from '#web/shared/conditions/condition-words.ts';
import { countedText, type Counted } from '#web/shared/counted.ts';
import { ScrollRegion } from '#web/shared/ui/scroll-region.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';
import type { SegmentForm } from './condition-fields.tsx';
import { conditionPreviewQuery, previewMembersQuery } from './segment-queries.ts';

const pauseMs = 400;
const failureText = 'Failed to fetch preview count';

/** The members of the saved segment; of a condition as it is typed how many match, and the newest of them. */
export function SegmentPreview({ form, segment }: { form: SegmentForm; segment: Segment | undefined }) {
  const titleId = useId();
  const condition = useTypedCondition(form);
  const typed = useTyped(condition);
  const isSaved = segment !== undefined && isSameCondition(condition, segment.condition);
  return (
    <section aria-labelledby={titleId} className="rounded-base border bg-surface">
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b px-4 py-2 text-13">
        <h3 id={titleId}>Preview</h3>
        {isSaved ? <SavedCount segmentId={segment.id} /> : <TypedCount typed={typed} />}
      </header>
      {isSaved ? <SavedMembers segmentId={segment.id} /> : <TypedMembers typed={typed} />}
    </section>
  );
}

function useTypedCondition(form: SegmentForm): SegmentCondition {
  const { fieldPath, operator, value } = useWatch({ control: form.control, name: 'condition' });
  return { fieldPath: fieldPath.trim(), operator, value: needsValue(operator) ? String(value ?? '') : '' };
}

function isSameCondition(one: SegmentCondition, other: SegmentCondition | null): boolean {
  return (
    other !== null && one.fieldPath === other.fieldPath && one.operator === other.operator && one.value === other.value
  );
}

function matchesText(counted: Counted): string {
  return `Matches ${countedText(counted)} ${counted.count === 1 ? 'profile' : 'profiles'}`;
}

type TypedState = {
  isCountable: boolean;
  found: (Counted & { sample?: readonly SegmentMember[] }) | undefined;
  error: unknown;
};

/** Counts once typing pauses on a path that can be. */
function useTyped(condition: SegmentCondition): TypedState {
  const typed = JSON.stringify(condition);
  const settled = useDebounced(typed, pauseMs);
  const isCountable = parseFieldPath(condition.fieldPath) !== undefined;
  const query = conditionPreviewQuery(JSON.parse(settled) as SegmentCondition);
  const isSettled = typed === settled;
  const { data, error } = useQuery({ ...query, enabled: isCountable && isSettled });
  return { isCountable, found: isCountable && isSettled ? data : undefined, error };
}

function TypedCount({ typed: { isCountable, found, error } }: { typed: TypedState }) {
  if (!isCountable) return null;
  if (error !== null) return <span className="text-red-ink">{errorText(error, failureText)}</span>;
  return <Count counted={found} />;
}

/** The server of the release before answers no `sample`. */
function TypedMembers({ typed: { found } }: { typed: TypedState }) {
  if (found?.count === 0 && found.is_estimate !== true)
    return <p className="px-4 py-3 text-13 text-muted">No profile matches now.</p>;
  const { sample = [] } = found ?? {};
  return (
    <>
      {sample.length > 0 && (
        <ul aria-label="The newest of them" className="border-b py-1.5 text-13">
          {sample.map((member) => (
            <Member key={member.id} member={member} />
          ))}
        </ul>
      )}
      <p className="px-4 py-3 text-13 text-muted">Preview available after saving</p>
    </>
  );
}

function SavedCount({ segmentId }: { segmentId: number }) {
  const { data, error } = useQuery(previewMembersQuery(segmentId));
  const failure = error === null ? undefined : errorText(error, failureText);
  useEffect(() => {
    if (failure !== undefined) notify.error(failure);
  }, [failure]);
  return failure === undefined ? <Count counted={data} /> : <span className="text-red-ink">{failure}</span>;
}

function Count({ counted }: { counted: Counted | undefined }) {
  return (
    <span aria-live="polite" className="text-muted tabular-nums">
      {counted === undefined ? '...' : matchesText(counted)}
    </span>
  );
}

function SavedMembers({ segmentId }: { segmentId: number }) {
  const { data, isError } = useQuery(previewMembersQuery(segmentId));
  if (isError) return null;
  if (data?.data.length === 0) {
    const text = data.is_estimate ? 'Nobody was found in the time there is.' : 'No profile matches now.';
    return <p className="px-4 py-3 text-13 text-muted">{text}</p>;
  }
  return (
    <ScrollRegion label="Matching profiles" className="max-h-56">
      <ul aria-busy={data === undefined} className="py-1.5 text-13">
        {data === undefined
          ? [1, 2, 3].map((row) => (
              <li key={row} className="flex h-7 items-center px-4">
                <Skeleton className="h-3 w-56" />
              </li>
            ))
          : data.data.map((member) => <Member key={member.id} member={member} />)}
      </ul>
    </ScrollRegion>
  );
}

function Member({ member: { cc, number, phone, name } }: { member: SegmentMember }) {
  return (
    <li className="px-4 py-1 wrap-anywhere">
      <span className="tabular-nums">+{cc === null ? phone : `${cc} ${number}`}</span>{' '}
      <span className="text-muted">— {name === null ? '-' : <bdi>{name}</bdi>}</span>
    </li>
  );
}
