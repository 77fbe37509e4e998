import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { hasStatus } from '#web/shared/api-error.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { ProjectTabs } from '#web/shared/project-tabs.tsx';
import { Tabs } from '#web/shared/ui/tabs.tsx';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { projectKeysQuery } from './developer-queries.ts';
import type { DeveloperSearch } from './developer-search.ts';
import { EndpointsCard } from './endpoints-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { RequestLogCard } from './request-log-card.tsx';

type Change = { [Key in keyof DeveloperSearch]?: DeveloperSearch[Key] | undefined };

/** `deliveries` is what has gone to the endpoints, which is a feature of its own. */
export function DevelopersPage({ deliveries }: { deliveries: (projectId: number) => ReactNode }) {
  const projectId = Number(useParams({ from: '/shell/projects/$projectId/developers' }).projectId);
  const isId = Number.isSafeInteger(projectId) && projectId > 0;
  const search = useSearch({ from: '/shell/projects/$projectId/developers' });
  const address = useSearchChange();
  const { error } = useQuery({ ...projectKeysQuery(projectId), enabled: isId });
  const project = useQuery(projectsQuery()).data?.find(({ id }) => id === projectId);
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="project" />;
  const change = (next: Change) => address.change(next);
  return (
    <>
      <PageHeader
        title="Developers"
        description={
          project === undefined ? (
            'Keys, webhooks and requests'
          ) : (
            <>
              Keys, webhooks and requests of <bdi>{project.name}</bdi>
            </>
          )
        }
        actions={
          <a className={buttonClass()} href="/docs">
            Documentation
          </a>
        }
      />
      <ProjectTabs projectId={projectId} />
      <Tabs
        label="Developer sections"
        value={search.tab ?? 'keys'}
        onChange={(tab) => change({ tab: tab === 'keys' ? undefined : (tab as DeveloperSearch['tab']) })}
        tabs={[
          { id: 'keys', label: 'Keys', content: <Section>{<KeysCard projectId={projectId} />}</Section> },
          {
            id: 'webhooks',
            label: 'Webhooks',
            content: (
              <Section>
                <EndpointsCard
                  edited={search.edited}
                  onEdited={(edited) => (edited === undefined ? address.close({ edited }) : address.open({ edited }))}
                  projectId={projectId}
                  onDeliveries={({ id }) => change({ endpoint: id, deliveries: undefined })}
                />
                {deliveries(projectId)}
              </Section>
            ),
          },
          {
            id: 'log',
            label: 'Request log',
            content: (
              <Section>
                <RequestLogCard projectId={projectId} search={search} onChange={change} />
              </Section>
            ),
          },
        ]}
      />
    </>
  );
}

function Section({ children }: { children: ReactNode }) {
  return <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4 sm:mt-6 sm:gap-6">{children}</div>;
}
