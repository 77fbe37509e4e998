import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import type { EntryFilter } from '#contracts/campaigns.ts';
import type { MessageLeaf, MessageState } from '#contracts/expressions.ts';
import { cutText } from '#contracts/shorten-text.ts';
import { callApi } from '../api.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { Select } from '../form/select.tsx';
import { TextField } from '../form/text-field.tsx';
import { useZodForm } from '../form/use-zod-form.ts';
import { queryKeys } from '../queries.ts';
import { useCan } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { notify } from '../ui/toast-store.ts';
import type { EntrySearch } from './entry-search.ts';

/** The people of each figure, in words, and those who were sent a message that has not come as far. */
const people: Partial<Record<EntryFilter, { state: MessageState; reached: string; short?: string }>> = {
  sent: { state: 'sent', reached: 'were sent the message' },
  delivered: { state: 'delivered', reached: 'got the message', short: 'were sent it, but have not got it' },
  read: { state: 'read', reached: 'read the message', short: 'were sent it, but have not read it' },
  replied: { state: 'replied', reached: 'answered', short: 'were sent it, but have not answered' },
  clicked: { state: 'clicked', reached: 'opened a link', short: 'were sent it, but opened no link' },
  failed: { state: 'failed', reached: 'did not get it, as sending failed' },
};

type SegmentOfEntriesProps = {
  of: 'campaign' | 'flow';
  id: number;
  /** Of the campaign or the flow; begins the segment's name. */
  name: string;
  /** The figure whose people are shown, and the search that narrows them. */
  search: EntrySearch;
};

/** Makes a segment of the people of a figure; nothing for figures and searches that no condition describes. */
export function SegmentOfEntries({ of, id, name, search: { search, status } }: SegmentOfEntriesProps) {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const figure = status === undefined ? undefined : people[status];
  if (figure === undefined || search !== undefined || !can('contacts:write')) return null;
  return (
    <>
      <Button
        size="small"
        icon={<UsersRound aria-hidden="true" className="size-4" />}
        title="A segment that follows: who comes to belong to the figure joins it"
        onClick={() => setOpen(true)}
      >
        Make a segment
      </Button>
      {isOpen && <SegmentDialog message={{ of, id }} name={name} figure={figure} onClose={() => setOpen(false)} />}
    </>
  );
}

const Form = z.object({
  name: z.string().trim().min(1, 'Enter a segment name').max(120, 'Use at most 120 characters'),
  who: z.enum(['reached', 'short']),
});

type SegmentDialogProps = {
  message: MessageLeaf['message'];
  name: string;
  figure: { state: MessageState; reached: string; short?: string };
  onClose: () => void;
};

function SegmentDialog({ message, name, figure: { state, reached, short }, onClose }: SegmentDialogProps) {
  const queryClient = useQueryClient();
  const form = useZodForm(Form, { name: `${cutText(name, 100)}: ${state}`, who: 'reached' });
  const create = useMutation({
    mutationFn: ({ name: given, who }: z.output<typeof Form>) =>
      callApi('POST /api/segments', {
        body: { name: given, expression: { message, state, ...(who === 'short' && { not: true }) } },
      }),
    onSuccess: () => {
      notify.success('Segment created successfully');
      return queryClient.invalidateQueries({ queryKey: queryKeys.segments });
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Make a segment"
      description="Its members follow the messages: who gets there later joins it."
      form={form}
      onSubmit={async (values) => void (await create.mutateAsync(values))}
      submitLabel="Create Segment"
      busyLabel="Creating..."
      failureText="Failed to save segment"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" maxLength={120} required />
      <Select
        form={form}
        name="who"
        label="People who"
        options={[
          { value: 'reached', label: reached },
          ...(short === undefined ? [] : [{ value: 'short', label: short }]),
        ]}
      />
    </FormDialog>
  );
}
