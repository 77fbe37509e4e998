import type { Project } from '#contracts/projects.ts';
import { SubscriptionSection } from '#web/features/billing/subscription-section.tsx';
import { WebhookOffNotice } from '#web/features/projects/webhook-off-notice.tsx';
import { SettingsPage } from '#web/features/settings/settings-page.tsx';
import { useSession } from '#web/shared/session.ts';

const webhookNotice = (project: Project) => <WebhookOffNotice project={project} isEditing={false} />;

export function SettingsScreen() {
  const { subscription } = useSession();
  return (
    <SettingsPage
      subscription={subscription !== null && <SubscriptionSection subscription={subscription} />}
      webhookNotice={webhookNotice}
    />
  );
}
