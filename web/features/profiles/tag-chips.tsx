import { clsx } from 'clsx';
import { Tag } from '#web/shared/ui/tag.tsx';

const mostInRow = 2;

type TagChipsProps = {
  tags: readonly string[];
  /** All of them, over as many lines as they need. */
  isWhole?: boolean;
};

/** A profile's tags: the first in one line, and a number for those beyond, with their names in its title. */
export function TagChips({ tags, isWhole = false }: TagChipsProps) {
  if (tags.length === 0) return <span className="text-faint">–</span>;
  const shown = isWhole ? tags : tags.slice(0, mostInRow);
  const more = tags.slice(shown.length);
  return (
    <span className={clsx('inline-flex max-w-full items-center gap-1', isWhole && 'flex-wrap')}>
      {shown.map((tag) => (
        <Tag key={tag}>
          <span dir="auto" title={tag} className="max-w-24 truncate">
            {tag}
          </span>
        </Tag>
      ))}
      {more.length > 0 && (
        <span title={more.join(', ')} className="text-12 text-muted tabular-nums">
          +{more.length}
          <span className="sr-only"> more: {more.join(', ')}</span>
        </span>
      )}
    </span>
  );
}
