import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MessageCap } from '#contracts/message-caps.ts';
import { callApi } from '#web/shared/api.ts';
import { ApiError, errorText } from '#web/shared/api-error.ts';
import { capsQuery } from '#web/shared/caps/caps-query.ts';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { topicsQuery } from '#web/shared/topics/topics-query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

/** How many messages of campaigns and flows a person gets, of all of them and of single topics. */
export function CapsCard() {
  const { data: caps, error, refetch } = useQuery(capsQuery());
  const { data: topics = [] } = useQuery(topicsQuery());
  const rows = [{ id: null, name: 'All campaigns and flows' }, ...topics];
  return (
    <Card
      id="caps"
      title="Caps"
      description="Nobody gets more messages of campaigns and flows than this. Empty: any number. Bulk runs and direct messages do not count."
    >
      {caps === undefined && error === null && <Skeleton className="h-24" />}
      {caps === undefined && error !== null && (
        <ErrorPanel
          title="Failed to load the caps"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      )}
      {caps !== undefined && (
        <div className="grid gap-4">
          {rows.map(({ id, name }) => (
            <CapRow key={id ?? 0} name={name} cap={caps.find(({ topic_id: topicId }) => topicId === id)} topicId={id} />
          ))}
        </div>
      )}
    </Card>
  );
}

type CapRowProps = { name: string; topicId: number | null; cap: MessageCap | undefined };

const refusedIn = (failure: unknown) =>
  failure instanceof ApiError
    ? failure.fieldErrors.filter(({ path }) => path === 'per_day' || path === 'per_week')
    : [];

const textOf = (count: number | null | undefined) => (count ? String(count) : '');
const countOf = (text: string) => (text.trim() === '' ? null : Number(text));

function CapRow({ name, topicId, cap }: CapRowProps) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<{ day: string; week: string }>();
  const day = typed?.day ?? textOf(cap?.per_day);
  const week = typed?.week ?? textOf(cap?.per_week);
  const save = useMutation({
    mutationFn: () =>
      callApi('PUT /api/message-caps', {
        body: { topic_id: topicId, per_day: countOf(day), per_week: countOf(week) },
      }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(capsQuery().queryKey, data);
      setTyped(undefined);
      notify.success('Cap saved');
    },
    onError: (failure) => {
      if (refusedIn(failure).length === 0) notify.error(errorText(failure, 'Failed to save the cap'));
    },
  });
  const refused = refusedIn(save.error);
  const isWrong = (text: string, most: number) => {
    const count = countOf(text);
    return count !== null && !(Number.isSafeInteger(count) && count >= 1 && count <= most);
  };
  const errorOf = (field: string, value: string, most: number) =>
    isWrong(value, most)
      ? `Enter a whole number from 1 to ${most.toLocaleString('en')}`
      : refused.find(({ path }) => path === field)?.message;
  const input = (field: string, label: string, value: string, most: number, change: (text: string) => void) => (
    <Field label={label} error={errorOf(field, value, most)}>
      {(control) => (
        <input
          {...control}
          inputMode="numeric"
          value={value}
          placeholder="Any number"
          onChange={({ target }) => {
            save.reset();
            change(target.value);
          }}
          className={`${controlClass} h-(--control) px-3 tabular-nums`}
        />
      )}
    </Field>
  );
  return (
    <form
      aria-label={name}
      noValidate
      className="grid items-end gap-3 border-t pt-4 first:border-t-0 first:pt-0 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <bdi className="font-medium wrap-anywhere sm:col-span-3">{name}</bdi>
      {input('per_day', 'A day', day, 1000, (text) => setTyped({ day: text, week }))}
      {input('per_week', 'A week', week, 5000, (text) => setTyped({ day, week: text }))}
      <Button
        type="submit"
        disabled={typed === undefined || isWrong(day, 1000) || isWrong(week, 5000)}
        busy={save.isPending && 'Saving...'}
      >
        Save<span className="sr-only"> the cap of {name}</span>
      </Button>
    </form>
  );
}
