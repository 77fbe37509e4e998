import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { maxExpressionDepth } from '#contracts/expressions.ts';
import { countedText } from '#web/shared/counted.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { useBuilder } from './builder-context.ts';
import { emptyField, newGroup, newLine, placedItems } from './draft.ts';
import type { Draft, GroupDraft, LeafDraft, LineDraft } from './draft.ts';
import { LineFields } from './line-fields.tsx';

const kinds: readonly { label: string; leaf: LeafDraft }[] = [
  { label: 'Field', leaf: emptyField },
  {
    label: 'Event',
    leaf: { what: 'event', event: '', op: '>=', times: '1', n: '30', unit: 'days', where: [] },
  },
  { label: 'Segment', leaf: { what: 'segment', segment: undefined } },
  {
    label: 'Message',
    leaf: { what: 'message', of: 'campaign', state: 'read', isMissed: false, isLast: false, days: '' },
  },
  { label: 'Topic', leaf: { what: 'topic', topic: undefined, state: 'receives' } },
  { label: 'Random share', leaf: { what: 'share', percent: '10' } },
];

const matches = [
  { value: 'all', label: 'all', match: 'all', isNot: false },
  { value: 'any', label: 'at least one', match: 'any', isNot: false },
  { value: 'none', label: 'none', match: 'any', isNot: true },
  { value: 'not all', label: 'not all', match: 'all', isNot: true },
] as const;

type GroupProps = {
  group: GroupDraft;
  /** Of the group's own expression. */
  path: string;
  depth?: number;
};

/** People who match all, at least one or none of what stands in it; a group may stand in a group. */
export function ExpressionGroup({ group, path, depth = 1 }: GroupProps) {
  const { change, errorAt } = useBuilder();
  const titleId = useId();
  const chosen = matches.find(({ match, isNot }) => match === group.match && isNot === group.isNot);
  const isInner = depth > 1;
  const error = errorAt(path) ?? errorAt(`${path}${group.isNot ? '.not' : ''}.${group.match}`);
  return (
    <section
      aria-labelledby={titleId}
      className={isInner ? 'grid min-w-0 gap-3 rounded-base border bg-sunken p-3' : 'grid min-w-0 gap-3'}
    >
      <header className="flex flex-wrap items-center gap-2 text-13">
        <span id={titleId}>{isInner ? 'Group: match' : 'People who match'}</span>
        <SelectInput
          aria-label={isInner ? 'Of this group, match' : 'Match'}
          size="small"
          value={chosen?.value}
          options={matches}
          onChange={(event) => {
            const match = matches.find(({ value }) => value === event.target.value);
            if (match) change(group.id, { ...group, match: match.match, isNot: match.isNot });
          }}
          className="w-34"
        />
        <span>of these</span>
        <span className="ml-auto flex items-center gap-2">
          {isInner && <PartCount path={path} />}
          {isInner && <RemoveButton label="Remove the group" onClick={() => change(group.id, undefined)} />}
        </span>
      </header>
      {error !== undefined && (
        <p role="alert" className="text-13 text-red-ink">
          {error}
        </p>
      )}
      <ul className="grid min-w-0 gap-3">
        {placedItems(group, path).map(({ draft, path: at }) => (
          <li key={draft.id} className="min-w-0">
            {draft.kind === 'group' ? (
              <ExpressionGroup group={draft} path={at} depth={depth + 1} />
            ) : (
              <Line line={draft} path={at} isOnly={!isInner && group.items.length === 1} />
            )}
          </li>
        ))}
      </ul>
      <AddButtons group={group} depth={depth} />
    </section>
  );
}

function Line({ line, path, isOnly }: { line: LineDraft; path: string; isOnly: boolean }) {
  const { change, errorAt } = useBuilder();
  const error = errorAt(path);
  return (
    <div className="flex min-w-0 items-start gap-2">
      <div className="grid min-w-0 flex-1 gap-1">
        <LineFields line={line} path={path} />
        {error !== undefined && (
          <p role="alert" className="text-13 text-red-ink">
            {error}
          </p>
        )}
        <PartCount path={path} />
      </div>
      <RemoveButton label="Remove the condition" disabled={isOnly} onClick={() => change(line.id, undefined)} />
    </div>
  );
}

function RemoveButton(props: { label: string; disabled?: boolean; onClick: () => void }) {
  return <IconButton {...props} icon={<Trash2 aria-hidden="true" className="size-4" />} />;
}

/** How many match this part by itself. */
function PartCount({ path }: { path: string }) {
  const counted = useBuilder().countAt(path);
  if (!counted) return <span aria-hidden="true" className="h-4.5 text-12" />;
  const { count, unreadable } = counted;
  return (
    <span className="text-12 text-muted tabular-nums">
      {countedText(counted)} {count === 1 ? 'person' : 'people'}
      {unreadable > 0 && (
        <span className="text-yellow-ink">
          {` · ${unreadable.toLocaleString('en')} left out: the value cannot be read as this`}
        </span>
      )}
    </span>
  );
}

function AddButtons({ group, depth }: { group: GroupDraft; depth: number }) {
  const { change } = useBuilder();
  const add = (draft: Draft) => change(group.id, { ...group, items: [...group.items, draft] });
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label="Add a condition">
      {kinds.map(({ label, leaf }) => (
        <Button
          key={label}
          size="small"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => add(newLine(leaf))}
        >
          {label}
        </Button>
      ))}
      {depth < maxExpressionDepth - 1 && (
        <Button
          size="small"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => add(newGroup([newLine()], group.match === 'all' ? 'any' : 'all'))}
        >
          Group
        </Button>
      )}
    </div>
  );
}
