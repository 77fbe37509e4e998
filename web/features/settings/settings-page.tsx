import type { ReactNode } from 'react';
import type { Project } from '#contracts/projects.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { useCan, useSession } from '#web/shared/session.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { AccountKeysCard } from './account-keys/account-keys-card.tsx';
import { ApiKeyCard } from './api-key-card.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { SettingsSections } from './settings-sections.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { WebhookUrlCard } from './webhook-url-card.tsx';

type SettingsPageProps = {
  /** The section about the plan. */
  subscription: ReactNode;
  /** Above a project's webhook URL: that it was switched off. */
  webhookNotice: (project: Project) => ReactNode;
};

/** Other features' parts are composed by the app. */
export function SettingsPage({ subscription, webhookNotice }: SettingsPageProps) {
  const { user } = useSession();
  const can = useCan();
  return (
    <>
      <PageHeader title="Settings" description="Your account, its keys and its subscription" />
      <SettingsFrame>
        {user === null ? (
          <Card>
            <ErrorPanel title="Failed to fetch user data" onRetry={() => void refreshCurrentUser()} />
          </Card>
        ) : (
          <div className="flex flex-col gap-4 sm:gap-6 min-[1400px]:flex-row-reverse min-[1400px]:justify-end min-[1400px]:gap-10">
            <SettingsSections />
            <div className="grid min-w-0 max-w-180 flex-1 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
              <ProfileCard user={user} />
              <SignInCard user={user} />
              <AppearanceCard />
              {can('keys:write') && <ApiKeyCard user={user} />}
              {can('keys:write') && <AccountKeysCard />}
              {can('webhooks:write') && <WebhookUrlCard notice={webhookNotice} />}
              {can('billing:read') && subscription}
            </div>
          </div>
        )}
      </SettingsFrame>
    </>
  );
}
