import { Ban, Tag, Tags, Trash2, Workflow } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { Profile } from '#contracts/profiles.ts';
import { TagList } from '#web/shared/pick/tag-list.tsx';
import { SelectionBar } from '#web/shared/table/selection-bar.tsx';
import type { Selection } from '#web/shared/table/use-selection.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import type { Bulk } from '#web/shared/bulk/use-bulk.tsx';
import { AddToSegmentDialog } from './add-to-segment-dialog.tsx';

type BulkBarProps = { selection: Selection<Profile>; total: number | undefined; isEstimate: boolean; bulk: Bulk };

const iconClass = 'size-4';

/** The actions on the chosen profiles. */
export function BulkBar({ selection, total, isEstimate, bulk }: BulkBarProps) {
  const [question, setQuestion] = useState<'opt_out' | 'delete' | 'segment'>();
  const people = `${selection.count.toLocaleString('en')} ${selection.count === 1 ? 'profile' : 'profiles'}`;
  const close = () => setQuestion(undefined);
  return (
    <>
      <SelectionBar selection={selection} total={total} isEstimate={isEstimate} noun="profiles">
        <TagButton label="Tag" icon={<Tag />} canCreate onTags={(tags) => bulk.start('tag', { tags })} />
        <TagButton label="Untag" icon={<Tags />} onTags={(tags) => bulk.start('untag', { tags })} />
        <Button
          size="small"
          icon={<Workflow aria-hidden="true" className={iconClass} />}
          onClick={() => setQuestion('segment')}
        >
          Add to segment
        </Button>
        <Button
          size="small"
          icon={<Ban aria-hidden="true" className={iconClass} />}
          onClick={() => setQuestion('opt_out')}
        >
          Opt out
        </Button>
        <Button
          size="small"
          variant="ghost-danger"
          icon={<Trash2 aria-hidden="true" className={iconClass} />}
          onClick={() => setQuestion('delete')}
        >
          Delete
        </Button>
      </SelectionBar>
      <ConfirmDialog
        isOpen={question === 'opt_out'}
        onClose={close}
        title={`Opt out ${people}?`}
        confirmLabel={`Opt out ${people}`}
        busyLabel="Starting..."
        onConfirm={() => bulk.start('opt_out')}
      >
        Campaigns, flows and direct sends leave them alone from now on. It can be undone for seven days.
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'delete'}
        onClose={close}
        title={`Delete ${people}?`}
        confirmLabel={`Delete ${people}`}
        busyLabel="Starting..."
        onConfirm={() => bulk.start('delete')}
      >
        They leave their segments; the messages stay in the records. What waits for them is not sent. It can be undone
        for seven days, all but the events that were tracked of them.
      </ConfirmDialog>
      {question === 'segment' && (
        <AddToSegmentDialog people={people} onAdd={(tag) => bulk.start('tag', { tags: [tag] })} onClose={close} />
      )}
    </>
  );
}

type TagButtonProps = {
  label: string;
  icon: React.ReactNode;
  canCreate?: boolean;
  onTags: (tags: readonly string[]) => Promise<void>;
};

/** Chooses tags, then acts with all of them. */
function TagButton({ label, icon, canCreate = false, onTags }: TagButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [tags, setTags] = useState<readonly string[]>([]);

  function open(next: boolean): void {
    setOpen(next);
    setTags([]);
  }

  const toggle = (tag: string) =>
    setTags((chosen) => (chosen.includes(tag) ? chosen.filter((each) => each !== tag) : [...chosen, tag]));

  return (
    <Popover.Root open={isOpen} onOpenChange={open}>
      <Popover.Trigger asChild>
        <Button size="small" icon={<span className="[&>svg]:size-4">{icon}</span>}>
          {label}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          sideOffset={8}
          collisionPadding={8}
          aria-label={`${label} the chosen profiles`}
          className="z-60 w-64 animate-fade-in rounded-base bg-raised p-1.5 shadow-popover"
        >
          <TagList
            chosen={tags}
            onToggle={toggle}
            canCreate={canCreate}
            footer={
              <Button
                variant="primary"
                size="small"
                disabled={tags.length === 0}
                onClick={() => {
                  open(false);
                  void onTags(tags).catch(() => undefined);
                }}
                className="mt-1"
              >
                {tags.length === 0 ? label : `${label}: ${tags.join(', ')}`}
              </Button>
            }
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
