import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import type { ConsentEvent, ConsentSource, ConsentState, NumberTopics as Topics } from '#contracts/topics.ts';
import { callApi } from '../api.ts';
import { errorText } from '../api-error.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { SwitchInput } from '../form/switch.tsx';
import { TextField } from '../form/text-field.tsx';
import { useZodForm } from '../form/use-zod-form.ts';
import { queryKeys } from '../queries.ts';
import { useNeededForContact } from '../needed-for-contact.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { notify } from '../ui/toast-store.ts';
import { numberTopicsQuery } from './topics-query.ts';

const sourceWords: Readonly<Record<ConsentSource, string>> = {
  page: 'on the preferences page',
  user: 'in the dashboard',
  api: 'by API',
  import: 'by import',
};

type Saying = { topicId: number; state: ConsentState; note?: string };

/** Switches for the topics of a number, with their history; nothing where there are no topics. */
export function NumberTopics({ phone, mostLines = 5 }: { phone: string; mostLines?: number }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(numberTopicsQuery(phone));
  const needed = useNeededForContact();
  const [lifting, setLifting] = useState<Topics['topics'][number]>();
  const say = useMutation({
    mutationFn: ({ topicId, state, note }: Saying) =>
      callApi('PUT /api/consents/{phone}', {
        params: { phone: `+${phone}` },
        body: { topics: [{ topic_id: topicId, state }], ...(note !== undefined && { note }) },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.suppressions }),
  });
  if (data === undefined || data.topics.length === 0) return null;

  function change(topic: Topics['topics'][number], isOn: boolean): void {
    if (isOn && topic.consent?.state === 'opted_out') return setLifting(topic);
    const state = isOn ? 'opted_in' : 'opted_out';
    say.mutate(
      { topicId: topic.topic_id, state },
      { onError: (error) => notify.error(errorText(error, 'Failed to update topics')) },
    );
  }

  return (
    <div className="grid gap-3">
      {data.topics.map((topic) => (
        <SwitchInput
          key={topic.topic_id}
          label={topic.name}
          hint={data.opted_out ? 'Opted out of everything.' : (topic.description ?? undefined)}
          checked={topic.receives}
          disabled={data.opted_out}
          busy={say.isPending}
          needs={needed}
          onChange={() => change(topic, !topic.receives)}
        />
      ))}
      {data.preferences_url !== null && (
        <p>
          <CopyButton
            variant="ghost"
            value={data.preferences_url}
            label="Copy preferences link"
            texts={{ copied: 'Link copied: it is for this person alone', failed: 'Failed to copy the link' }}
          />
        </p>
      )}
      {data.log.length > 0 && <ConsentLog log={data.log.slice(0, mostLines)} />}
      {lifting !== undefined && (
        <OptInDialog
          topic={lifting}
          onClose={() => setLifting(undefined)}
          onSave={(note) => say.mutateAsync({ topicId: lifting.topic_id, state: 'opted_in', note })}
        />
      )}
    </div>
  );
}

function ConsentLog({ log }: { log: readonly ConsentEvent[] }) {
  return (
    <ul aria-label="History of topics" className="grid gap-2 border-t pt-3 text-13">
      {log.map(({ topic_id: id, topic_name: name, state, by, at, note, evidence }) => (
        <li key={`${id} ${at} ${state}`} className="flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 wrap-anywhere">
            {state === 'opted_in' ? 'Opted in to' : 'Opted out of'} <bdi>{name}</bdi> {sourceWords[by]}
            {evidence.actor !== null && <span className="text-muted"> · {evidence.actor}</span>}
            {note !== null && <span className="text-muted"> · {note}</span>}
          </span>
          <span className="text-muted">
            <DateTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const OptIn = z.object({ note: z.string().trim().min(3, 'Say why in a few words').max(500) });

type OptInDialogProps = {
  topic: Topics['topics'][number];
  onClose: () => void;
  onSave: (note: string) => Promise<unknown>;
};

function OptInDialog({ topic, onClose, onSave }: OptInDialogProps) {
  const form = useZodForm(OptIn, { note: '' });
  return (
    <FormDialog
      onClose={onClose}
      title={`Opt in to ${topic.name} again?`}
      description="They opted out of it. Do this only if they have asked for it since; the log keeps your reason."
      form={form}
      onSubmit={async ({ note }) => void (await onSave(note))}
      submitLabel="Opt in again"
      busyLabel="Saving..."
      failureText="Failed to update topics"
    >
      <TextField
        form={form}
        name="note"
        label="Reason"
        placeholder="Asked for it at the counter on Monday"
        autoComplete="off"
        maxLength={500}
        required
      />
    </FormDialog>
  );
}
