import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DraftKind } from '#contracts/drafts.ts';
import { Button } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { discardDraft } from './discard-draft.ts';
import { draftsQuery } from './draft-queries.ts';

type KeptDraftsProps = { kind: DraftKind; noun: string; onContinue: () => void };

/** Above a list: the new thing that was begun and not saved yet. */
export function KeptDrafts({ kind, noun, onContinue }: KeptDraftsProps) {
  const queryClient = useQueryClient();
  const { data } = useQuery(draftsQuery(kind));
  const draft = data?.find(({ key }) => key === 'new');
  if (draft === undefined) return null;
  const { key, name, updated_at: updatedAt } = draft;

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-base border bg-surface px-4 py-2.5">
      <p className="min-w-0 flex-1 basis-48">
        You began a {noun}
        {name !== null && (
          <>
            , <bdi className="font-medium">{name}</bdi>,
          </>
        )}{' '}
        <RelativeTime at={updatedAt} />.
      </p>
      <div className="flex gap-2">
        <Button size="small" onClick={() => void discardDraft({ kind, key }, queryClient)}>
          Discard
        </Button>
        <Button size="small" variant="primary" onClick={onContinue}>
          Continue
        </Button>
      </div>
    </div>
  );
}
