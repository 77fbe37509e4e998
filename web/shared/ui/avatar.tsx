import { clsx } from 'clsx';
import { initials } from '../initials.ts';

const tints = [
  'bg-accent-subtle text-accent-ink',
  'bg-blue-wash text-blue-ink',
  'bg-yellow-wash text-yellow-ink',
  'bg-red-wash text-red-ink',
  'bg-gray-wash text-gray-ink',
] as const;

const sizes = {
  tiny: 'size-4.5 text-[0.5625rem]',
  small: 'size-6 text-[0.625rem]',
  medium: 'size-9 text-12',
  large: 'size-12 text-14',
} as const;

type AvatarProps = { id: number; name: string | null; size?: keyof typeof sizes };

/** Initials on one of a few tints, the same for a person wherever they appear. */
export function Avatar({ id, name, size = 'medium' }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid shrink-0 place-items-center rounded-full font-semibold',
        sizes[size],
        name === null ? 'bg-gray-wash text-gray-ink' : tints[id % tints.length],
      )}
    >
      {name === null ? '#' : initials(name)}
    </span>
  );
}
