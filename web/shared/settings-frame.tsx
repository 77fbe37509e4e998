import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import {
  BellOff,
  Bell,
  CircleDollarSign,
  Database,
  ScrollText,
  Send,
  ShieldCheck,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { paths } from '#web/shared/paths.ts';
import type { StaticPath } from '#web/shared/paths.ts';
import { useCan, useIsNarrowed } from '#web/shared/session.ts';

type Entry = { to: StaticPath; label: string; icon: LucideIcon; needs?: Permission; acrossProjects?: true };

/** The pages of the settings: of the person, then of the account. */
const groups: readonly { title: string; entries: readonly Entry[] }[] = [
  {
    title: 'You',
    entries: [
      { to: paths.settings, label: 'General', icon: UserRound },
      { to: paths.security, label: 'Security', icon: ShieldCheck },
      { to: paths.notificationSettings, label: 'Notifications', icon: Bell },
    ],
  },
  {
    title: 'Account',
    entries: [
      { to: paths.team, label: 'Team', icon: UsersRound, needs: 'team:read' },
      { to: paths.sendingSettings, label: 'Sending', icon: Send, needs: 'campaigns:write', acrossProjects: true },
      { to: paths.optOut, label: 'Opt-out', icon: BellOff, needs: 'contacts:write' },
      { to: paths.prices, label: 'Prices', icon: CircleDollarSign, needs: 'templates:read' },
      { to: paths.auditLog, label: 'Audit log', icon: ScrollText, needs: 'audit:read' },
      { to: paths.dataSettings, label: 'Data', icon: Database, needs: 'account:write' },
    ],
  },
];

/** A page of the settings, beside the index of all of them; on a narrow screen that is a list to choose from. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const can = useCan();
  const isNarrowed = useIsNarrowed();
  const shown = groups.map(({ title, entries }) => ({
    title,
    entries: entries.filter(
      ({ needs, acrossProjects }) => (needs === undefined || can(needs)) && !(acrossProjects && isNarrowed),
    ),
  }));
  return (
    <div className="flex min-w-0 flex-col gap-4 sm:gap-6 xl:flex-row xl:gap-10">
      <SettingsIndex groups={shown} />
      <SettingsChoice groups={shown} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 sm:gap-6">{children}</div>
    </div>
  );
}

function SettingsIndex({ groups: shown }: { groups: typeof groups }) {
  return (
    <nav
      aria-label="Settings"
      className="grid w-40 shrink-0 content-start gap-4 self-start max-xl:hidden xl:sticky xl:top-20"
    >
      {shown.map(({ title, entries }) => (
        <div key={title} className="grid gap-0.5">
          <p className="px-2.5 pb-1 text-12 font-medium text-muted">{title}</p>
          {entries.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="flex items-center gap-2.5 rounded-small px-2.5 py-1.5 text-13 font-medium text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent-ink"
            >
              <Icon aria-hidden="true" className="size-4 shrink-0" />
              {label}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

function SettingsChoice({ groups: shown }: { groups: typeof groups }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <SelectInput
      aria-label="Page of the settings"
      className="xl:hidden"
      value={pathname}
      options={shown.map(({ title, entries }) => ({
        label: title,
        options: entries.map(({ to, label }) => ({ value: to, label })),
      }))}
      onChange={({ target }) => void navigate({ to: target.value as StaticPath })}
    />
  );
}
