import { Link } from '@tanstack/react-router';
import { BadgeCheck, Box, Megaphone, Send, Smartphone, UserX, Workflow, type LucideIcon } from 'lucide-react';
import { paths } from '../paths.ts';
import { buttonClass } from './button.tsx';
import { Card } from './card.tsx';
import { EmptyState } from './empty-state.tsx';

type Kind = 'project' | 'campaign' | 'flow' | 'profile' | 'phone' | 'run' | 'template';

const kinds: Readonly<Record<Kind, { icon: LucideIcon; name: string; path: string; all: string }>> = {
  project: { icon: Box, name: 'Project', path: paths.projects, all: 'All projects' },
  campaign: { icon: Megaphone, name: 'Campaign', path: paths.campaigns, all: 'All campaigns' },
  flow: { icon: Workflow, name: 'Flow', path: paths.flows, all: 'All flows' },
  phone: { icon: Smartphone, name: 'Phone number', path: paths.projects, all: 'All projects' },
  run: { icon: Send, name: 'Run', path: paths.bulkRuns, all: 'All runs' },
  template: { icon: BadgeCheck, name: 'Template', path: paths.whatsappTemplates, all: 'All WhatsApp templates' },
  profile: { icon: UserX, name: 'Profile', path: paths.profiles, all: 'All profiles' },
};

/** In the place of a page whose thing is not there, with the way to the others of its kind. */
export function NotFoundCard({ kind }: { kind: Kind }) {
  const { icon: Icon, name, path, all } = kinds[kind];
  return (
    <Card flush>
      <EmptyState
        icon={<Icon aria-hidden="true" />}
        title={`${name} not found.`}
        isPage
        hint="It may have been deleted."
        action={
          <Link to={path} className={buttonClass()}>
            {all}
          </Link>
        }
      />
    </Card>
  );
}
