import { initials } from '#web/shared/initials.ts';
import { useSession } from '#web/shared/session.ts';

export function UserBlock() {
  const { identity } = useSession();
  const name = identity?.name.trim() || 'User';
  return (
    <div className="mt-2 flex min-w-0 items-center gap-2.5 border-t px-2 pt-3">
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-gray-wash text-12 font-semibold text-muted"
      >
        {initials(name)}
      </span>
      <div className="min-w-0">
        <p className="truncate text-13 leading-4.5 font-medium" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="truncate text-12 text-muted" title={identity?.email}>
          {identity?.email}
        </p>
      </div>
    </div>
  );
}
