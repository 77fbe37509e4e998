import { Link } from '@tanstack/react-router';
import type { Permission } from '#contracts/permissions.ts';
import { paths } from '#web/shared/paths.ts';
import { useCan } from '#web/shared/session.ts';

const sections: readonly { hash: string; label: string; needs?: Permission }[] = [
  { hash: 'profile', label: 'Profile' },
  { hash: 'sign-in', label: 'Sign-in' },
  { hash: 'appearance', label: 'Appearance' },
  { hash: 'api-key', label: 'API key', needs: 'keys:write' },
  { hash: 'account-keys', label: 'Keys of the account', needs: 'keys:write' },
  { hash: 'webhook-url', label: 'Webhook URL', needs: 'webhooks:write' },
  { hash: 'subscription', label: 'Subscription', needs: 'billing:read' },
];

/** Leads to the sections of a long page: beside them where there is room, above them elsewhere. */
export function SettingsSections() {
  const can = useCan();
  const shown = sections.filter(({ needs }) => needs === undefined || can(needs));
  return (
    <nav
      aria-label="On this page"
      className="min-[1400px]:sticky min-[1400px]:top-20 min-[1400px]:w-48 min-[1400px]:self-start"
    >
      <p aria-hidden="true" className="mb-1 px-2.5 text-12 font-medium text-muted max-[1400px]:hidden">
        On this page
      </p>
      <ul className="flex gap-0.5 max-[1400px]:-mx-1 max-[1400px]:overflow-x-auto max-[1400px]:pb-1 min-[1400px]:flex-col">
        {shown.map(({ hash, label }) => (
          <li key={hash} className="shrink-0">
            <Link
              to={paths.settings}
              hash={hash}
              activeOptions={{ exact: true, includeHash: true, includeSearch: false }}
              className="block rounded-small px-2.5 py-1.5 text-13 whitespace-nowrap text-muted hover:bg-hover hover:text-ink aria-[current=page]:text-ink aria-[current=page]:font-medium"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
