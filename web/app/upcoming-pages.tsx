import { Megaphone, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';

type UpcomingPageProps = { title: string; hint: string; icon: ReactNode; notice: string; purpose: string };

function UpcomingPage({ title, hint, icon, notice, purpose }: UpcomingPageProps) {
  return (
    <>
      <PageHeader title={title} description={hint} />
      <Card>
        <EmptyState icon={icon} title={notice} hint={purpose} />
      </Card>
    </>
  );
}

export function CampaignsPage() {
  return (
    <UpcomingPage
      title="Campaigns"
      hint="Create a campaign to message a segment via a project"
      icon={<Megaphone />}
      notice="Campaigns are not part of this version yet"
      purpose="Profiles and segments are there to prepare them."
    />
  );
}

export function FlowsPage() {
  return (
    <UpcomingPage
      title="Flows"
      hint="Send a message by itself when a profile matches your conditions"
      icon={<Workflow />}
      notice="Flows are not part of this version yet"
      purpose="Until they are, a program of yours can send through the API whenever something happens."
    />
  );
}
