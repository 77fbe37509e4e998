import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListChecks, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Topic } from '#contracts/topics.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { RowAction, RowActions } from '#web/shared/table/row-action.tsx';
import { topicsQuery } from '#web/shared/topics/topics-query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DeletionDialog } from '#web/shared/ui/deletion-dialog.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { TopicDialog } from './topic-dialog.tsx';

type Open = { what: 'new' } | { what: 'edit' | 'delete'; topic: Topic };

/** Topics that people can take or leave by themselves, with how many did. */
export function TopicsCard() {
  const query = useQuery(topicsQuery());
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { data: topics } = query;
  return (
    <Card
      flush
      title="Topics"
      actions={
        <Button
          needs="contacts:write"
          size="small"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => setOpen({ what: 'new' })}
        >
          New Topic
        </Button>
      }
    >
      <DataTable
        label="Topics"
        columns={columns({
          onEdit: (topic) => setOpen({ what: 'edit', topic }),
          onDelete: (topic) => setOpen({ what: 'delete', topic }),
        })}
        rowKey={({ id }) => id}
        query={{ ...query, data: topics && { data: topics } }}
        skeletonRows={2}
        loadingText="Loading topics..."
        empty={<NoTopics />}
        failureText="Failed to fetch topics"
      />
      {open?.what === 'new' && <TopicDialog onClose={close} />}
      {open?.what === 'edit' && <TopicDialog topic={open.topic} onClose={close} />}
      {open?.what === 'delete' && <DeleteTopicDialog topic={open.topic} onClose={close} />}
    </Card>
  );
}

type Actions = { onEdit: (topic: Topic) => void; onDelete: (topic: Topic) => void };

const columns = ({ onEdit, onDelete }: Actions): readonly Column<Topic>[] => [
  {
    id: 'name',
    header: 'Name',
    onCard: 'title',
    fluid: true,
    cell: ({ name, description }) => (
      <>
        <bdi className="block font-medium whitespace-normal wrap-anywhere">{name}</bdi>
        {description !== null && (
          <span className="text-13 whitespace-normal text-muted wrap-anywhere">{description}</span>
        )}
      </>
    ),
  },
  {
    id: 'reach',
    header: 'Goes to',
    cell: ({ needs_opt_in: needsOptIn }) => (
      <span className="whitespace-nowrap">{needsOptIn ? 'Opted in only' : 'All but opted out'}</span>
    ),
  },
  { id: 'in', header: 'Opted in', align: 'right', cell: ({ opted_in_count: n }) => n.toLocaleString('en') },
  { id: 'out', header: 'Opted out', align: 'right', cell: ({ opted_out_count: n }) => n.toLocaleString('en') },
  {
    id: 'actions',
    header: 'Actions',
    align: 'right',
    onCard: 'actions',
    cell: (topic) => (
      <RowActions>
        <RowAction
          needs="contacts:write"
          label="Edit"
          subject={topic.name}
          icon={<Pencil aria-hidden="true" className="size-4" />}
          onClick={() => onEdit(topic)}
        />
        <RowAction
          needs="contacts:write"
          label="Delete"
          subject={topic.name}
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() => onDelete(topic)}
        />
      </RowActions>
    ),
  },
];

function NoTopics() {
  return (
    <EmptyState
      icon={<ListChecks aria-hidden="true" />}
      title="No topics yet"
      hint="With topics people can leave your offers and keep their order news. Put {preferences_link} into a message: everybody gets a page of their own on which they choose."
    />
  );
}

function DeleteTopicDialog({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const queryClient = useQueryClient();
  return (
    <DeletionDialog
      onClose={onClose}
      title={`Delete topic "${topic.name}"?`}
      done="Topic deleted"
      failed="Failed to delete topic"
      remove={() => callApi('DELETE /api/topics/{topicId}', { params: { topicId: topic.id } })}
      onDeleted={() => queryClient.invalidateQueries({ queryKey: queryKeys.suppressions })}
    >
      Nobody is asked for it any more. Campaigns and flows that name it go on leaving out who opted out of it.
    </DeletionDialog>
  );
}
