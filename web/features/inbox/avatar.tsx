import { clsx } from 'clsx';
import { initials } from '#web/shared/initials.ts';

const tints = [
  'bg-accent-subtle text-accent-ink',
  'bg-blue-wash text-blue-ink',
  'bg-yellow-wash text-yellow-ink',
  'bg-red-wash text-red-ink',
  'bg-gray-wash text-gray-ink',
] as const;

type AvatarProps = { id: number; name: string | null; size?: 'medium' | 'large' };

/** Initials on one of a few tints, the same for a person wherever they appear. */
export function Avatar({ id, name, size = 'medium' }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid shrink-0 place-items-center rounded-full font-semibold',
        size === 'large' ? 'size-12 text-14' : 'size-9 text-12',
        name === null ? 'bg-gray-wash text-gray-ink' : tints[id % tints.length],
      )}
    >
      {name === null ? '#' : initials(name)}
    </span>
  );
}
