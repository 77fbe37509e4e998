import type { LucideIcon } from 'lucide-react';

/** Before the name of a thing in a row of the settings. */
export function SettingIcon({ icon: Icon }: { icon: LucideIcon }) {
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-base border text-muted">
      <Icon aria-hidden="true" className="size-4" />
    </span>
  );
}
