import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert, Users } from 'lucide-react';
import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { errorText } from '#web/shared/api-error.ts';
import { countedText, type Counted } from '#web/shared/counted.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { audienceCountQuery, type Audience } from '../flow-queries.ts';
import { typedAudience, type FlowForm } from './flow-form.ts';

const pauseMs = 400;
const failureText = 'Failed to fetch preview count';

/** How many profiles the typed rules match: once typing pauses, and at once when asked. */
export function AudienceCount({ form, own }: { form: FlowForm; own?: Audience | undefined }) {
  const titleId = useId();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [asked, setAsked] = useState<string>();
  const typed = useTypedAudience(form, own);
  const settled = useDebounced(typed, pauseMs);
  const isSettled = typed === settled || typed === asked;

  async function handlePreview(): Promise<void> {
    const audience = read(typed);
    if (audience === undefined) {
      const isBlank = form.getValues('conditions').every(({ fieldPath }) => fieldPath.trim() === '');
      notify.error(isBlank ? 'Please add at least one condition' : 'Complete the conditions and the timing first');
      return;
    }
    setAsked(typed);
    setAsking(true);
    try {
      await queryClient.fetchQuery({ ...audienceCountQuery(audience), staleTime: 0 });
    } catch (error) {
      notify.error(errorText(error, failureText));
    } finally {
      setAsking(false);
    }
  }

  return (
    <section aria-labelledby={titleId} className="grid justify-items-start gap-3">
      <h3 id={titleId} className="text-13">
        Who matches
      </h3>
      <div role="status" className="grid gap-0.5">
        <Count audience={isSettled ? read(typed) : undefined} isTyped={typed !== nothing} />
      </div>
      <Button
        size="small"
        icon={<Users aria-hidden="true" className="size-4" />}
        busy={isAsking && 'Counting...'}
        onClick={() => void handlePreview()}
      >
        Preview Count
      </Button>
    </section>
  );
}

const nothing = 'null';

function useTypedAudience(form: FlowForm, own: Audience | undefined): string {
  const [conditions, duration, left] = useWatch({
    control: form.control,
    name: ['conditions', 'duration', 'exclude_segment_ids'],
  });
  const people = own ?? typedAudience({ conditions, duration });
  return JSON.stringify(people ? { ...people, ...(left.length > 0 && { exclude_segment_ids: left }) } : null);
}

function read(typed: string): Audience | undefined {
  return (JSON.parse(typed) as Audience | null) ?? undefined;
}

type CountProps = {
  /** Undefined while typing goes on. */
  audience: Audience | undefined;
  /** Whether there is anything to count by. */
  isTyped: boolean;
};

function Count({ audience, isTyped }: CountProps) {
  const { data, error } = useQuery({ ...audienceCountQuery(audience), enabled: audience !== undefined });
  if (!isTyped) return <p className="text-13 text-muted">Complete the conditions and the timing to count.</p>;
  if (audience !== undefined && error !== null) {
    return <p className="text-13 text-red-ink">{errorText(error, failureText)}</p>;
  }
  if (data === undefined) return <p className="text-16 font-semibold text-muted">...</p>;
  return (
    <>
      <p className="text-16 font-semibold tabular-nums first-letter:uppercase">{matchText(data)}</p>
      {typeof data.warning === 'string' && (
        <p className="flex gap-1.5 text-13 text-pretty text-yellow-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {data.warning}
        </p>
      )}
      {data.skipped > 0 && (
        <p className="text-13 text-pretty text-muted first-letter:uppercase">
          {skippedText({ count: data.skipped, is_estimate: data.is_estimate })}
        </p>
      )}
    </>
  );
}

function matchText(counted: Counted): string {
  return `${countedText(counted)} ${counted.count === 1 ? 'profile matches' : 'profiles match'}`;
}

function skippedText(skipped: Counted): string {
  const who = `${countedText(skipped)} of them ${skipped.count === 1 ? 'gets' : 'get'} nothing`;
  return `${who}: their number is invalid, or they opted out.`;
}
