import { Tag } from '#web/shared/ui/tag.tsx';

/** A profile's tags; those beyond `most` are a number with all of them in its title. */
export function TagChips({ tags, most = 3 }: { tags: readonly string[]; most?: number }) {
  if (tags.length === 0) return <span className="text-faint">–</span>;
  const more = tags.slice(most);
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1">
      {tags.slice(0, most).map((tag) => (
        <Tag key={tag}>
          <span dir="auto" title={tag} className="max-w-28 truncate">
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
