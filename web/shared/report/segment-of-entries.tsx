import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Send, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import type { EntryFilter } from '#contracts/campaigns.ts';
import { cutText } from '#contracts/shorten-text.ts';
import { callApi } from '../api.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { Select } from '../form/select.tsx';
import { TextField } from '../form/text-field.tsx';
import { useZodForm } from '../form/use-zod-form.ts';
import { paths } from '../paths.ts';
import { queryKeys } from '../queries.ts';
import { useCan } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/toast-store.ts';
import { statusWord } from '../ui/status-badge.tsx';
import type { EntrySearch } from './entry-search.ts';
import { expressionOfFigure, peopleOf, type FigureSource } from './figure-expression.ts';

type SegmentOfEntriesProps = FigureSource & {
  /** Of the campaign, the flow or the run; begins the segment's name. */
  name: string;
  /** The figure whose people are shown, and the search that narrows them. */
  search: EntrySearch;
};

/** Makes a segment of the people of a figure, to keep or to write to; nothing where no condition describes them. */
export function SegmentOfEntries({ of, id, name, search }: SegmentOfEntriesProps) {
  const can = useCan();
  const [purpose, setPurpose] = useState<'keep' | 'write'>();
  const people = peopleOf(search);
  if (!people || !search.status || search.search !== undefined || !can('contacts:write')) return null;
  return (
    <>
      {can('campaigns:write') && search.status !== 'opted_out' && (
        <Button
          size="small"
          icon={<Send aria-hidden="true" className="size-4" />}
          title="A new campaign to a segment of them"
          onClick={() => setPurpose('write')}
        >
          Write to them
        </Button>
      )}
      <Button
        size="small"
        icon={<UsersRound aria-hidden="true" className="size-4" />}
        title="A segment that follows: who comes to belong to the figure joins it"
        onClick={() => setPurpose('keep')}
      >
        Make a segment
      </Button>
      {purpose !== undefined && (
        <SegmentDialog
          source={{ of, id }}
          name={name}
          status={search.status}
          people={people}
          isToWrite={purpose === 'write'}
          onClose={() => setPurpose(undefined)}
        />
      )}
    </>
  );
}

const Form = z.object({
  name: z.string().trim().min(1, 'Enter a segment name').max(120, 'Use at most 120 characters'),
  who: z.enum(['reached', 'short']),
});

type SegmentDialogProps = {
  source: FigureSource;
  name: string;
  status: EntryFilter;
  people: { reached: string; short?: string };
  /** A campaign to them is begun once the segment is there. */
  isToWrite: boolean;
  onClose: () => void;
};

function SegmentDialog({ source, name, status, people, isToWrite, onClose }: SegmentDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useZodForm(Form, {
    name: `${cutText(name, 100)}: ${statusWord(status).toLowerCase()}`,
    who: 'reached',
  });
  const create = useMutation({
    mutationFn: ({ name: given, who }: z.output<typeof Form>) =>
      callApi('POST /api/segments', {
        body: { name: given, expression: expressionOfFigure(source, status, who === 'short') },
      }),
    onSuccess: ({ id }) => {
      const open = () => void navigate({ to: paths.segment, params: { segmentId: String(id) } });
      notify.success('Segment created successfully', isToWrite ? {} : { action: { label: 'Open', onSelect: open } });
      return queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title={isToWrite ? 'Write to them' : 'Make a segment'}
      description={
        isToWrite
          ? 'They become a segment, and a new campaign goes to it.'
          : 'Its members follow the messages: who gets there later joins it.'
      }
      form={form}
      onSubmit={async (values) => {
        const { id } = await create.mutateAsync(values);
        if (isToWrite) void navigate({ to: `${paths.campaigns}/new`, state: { toSegment: id } } as never);
      }}
      submitLabel={isToWrite ? 'Continue' : 'Create Segment'}
      busyLabel="Creating..."
      failureText="Failed to save segment"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={120} required />
      <Select
        form={form}
        name="who"
        label="People who"
        options={[
          { value: 'reached', label: people.reached },
          ...(people.short === undefined ? [] : [{ value: 'short', label: people.short }]),
        ]}
      />
    </FormDialog>
  );
}
