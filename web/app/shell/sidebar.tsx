import { Link, useLocation } from '@tanstack/react-router';
import {
  Activity,
  BadgeCheck,
  BookOpen,
  Box,
  Inbox,
  LayoutGrid,
  Megaphone,
  MessagesSquare,
  NotepadText,
  Send,
  Settings,
  Shapes,
  Smartphone,
  Users,
  Workflow,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { paths, type StaticPath } from '#web/shared/paths.ts';
import { useCan, useIsNarrowed, useSession } from '#web/shared/session.ts';
import { Brand } from '#web/shared/ui/brand.tsx';
import { AccountSelect } from './account-select.tsx';
import { ProjectSelect } from './project-select.tsx';
import { UnreadBadge } from './unread-count.tsx';
import { UserBlock } from './user-block.tsx';

const linkClass =
  'flex h-8 items-center gap-2.5 rounded-small px-2 font-medium text-muted transition-colors hover:bg-hover hover:text-ink ' +
  'aria-[current=page]:bg-pressed aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent-ink max-[900px]:h-10';

export function Sidebar() {
  const { pathname } = useLocation();
  const can = useCan();
  const isNarrowed = useIsNarrowed();
  return (
    <div className="flex h-full flex-col overflow-y-auto bg-sidebar px-3 pb-3">
      <Link to={paths.dashboard} className="flex h-(--header) shrink-0 items-center px-2">
        <Brand />
      </Link>
      <ProjectSelect />
      <nav aria-label="Main" className="mt-4 flex flex-1 flex-col gap-5">
        <div className="grid gap-0.5">
          <NavLink to={paths.dashboard} icon={LayoutGrid} exact>
            Dashboard
          </NavLink>
          {/* A project's phones have a link of their own. */}
          <NavLink to={paths.projects} icon={Box} exact={pathname.includes('/phone-numbers')}>
            Projects
          </NavLink>
          <PhoneNumbersLink isShown={pathname.includes('/phone-numbers')} />
        </div>
        <div className="grid gap-0.5">
          <p className="px-2 pb-1 text-12 font-medium text-faint">Messaging</p>
          <NavLink to={paths.inbox} icon={Inbox} aside={<UnreadBadge />}>
            Inbox
          </NavLink>
          <NavLink to={paths.messages} icon={MessagesSquare}>
            Messages
          </NavLink>
          {can('campaigns:write') && (
            <NavLink to={paths.bulkSend} icon={Send}>
              Bulk send
            </NavLink>
          )}
          {can('contacts:read') && (
            <>
              <NavLink to={paths.profiles} icon={Users}>
                Profiles
              </NavLink>
              <NavLink to={paths.segments} icon={Shapes}>
                Segments
              </NavLink>
              {!isNarrowed && (
                <NavLink to={paths.events} icon={Activity}>
                  Events
                </NavLink>
              )}
            </>
          )}
          {can('campaigns:read') && (
            <>
              <NavLink to={paths.campaigns} icon={Megaphone}>
                Automations
              </NavLink>
              <NavLink to={paths.flows} icon={Workflow}>
                Flows
              </NavLink>
            </>
          )}
          <NavLink to={paths.templates} icon={NotepadText}>
            Templates
          </NavLink>
          {can('templates:read') && (
            <NavLink to={paths.whatsappTemplates} icon={BadgeCheck}>
              WhatsApp templates
            </NavLink>
          )}
        </div>
        <div className="mt-auto pt-4">
          {/* Pages of their own, outside the app. */}
          <a href="/docs" className={linkClass}>
            <BookOpen aria-hidden="true" className="size-4" />
            Documentation
          </a>
          <NavLink to={paths.settings} icon={Settings}>
            Settings
          </NavLink>
        </div>
      </nav>
      <AccountSelect />
      <UserBlock />
    </div>
  );
}

type NavLinkProps = { to: StaticPath; icon: LucideIcon; exact?: boolean; aside?: ReactNode; children: ReactNode };

function NavLink({ to, icon: Icon, exact = false, aside, children }: NavLinkProps) {
  return (
    <Link to={to} activeOptions={{ exact, includeSearch: false }} className={linkClass}>
      <Icon aria-hidden="true" className="size-4" />
      {children}
      {aside}
    </Link>
  );
}

/** Without a project there are no phones: the link stays in its place and leads nowhere. */
function PhoneNumbersLink({ isShown }: { isShown: boolean }) {
  const { currentProjectId } = useSession();
  const content = (
    <>
      <Smartphone aria-hidden="true" className="size-4" />
      Phone numbers
    </>
  );
  if (currentProjectId === null) {
    return (
      <span
        className="flex h-8 items-center gap-2.5 px-2 font-medium text-faint max-[900px]:h-10"
        title="Create a project first"
      >
        {content}
      </span>
    );
  }
  return (
    <Link
      to={paths.phoneNumbers}
      params={{ projectId: String(currentProjectId) }}
      // A number has a page outside of its project's.
      aria-current={isShown ? 'page' : undefined}
      className={linkClass}
    >
      {content}
    </Link>
  );
}
