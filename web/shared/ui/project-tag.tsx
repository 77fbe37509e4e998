import { Tag } from './tag.tsx';

/** The name of a project in a table; a long one is cut, and whole in its title. */
export function ProjectTag({ name }: { name: string }) {
  return (
    <Tag>
      <span dir="auto" title={name} className="max-w-36 text-left truncate">
        {name}
      </span>
    </Tag>
  );
}
