import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { Flow } from '#contracts/flows.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { NamedFact } from '#web/shared/ui/ledger-counts.tsx';
import { ProjectTag } from '#web/shared/ui/project-tag.tsx';
import { WaitingNotice } from '#web/shared/waiting-notice.tsx';
import { flowFields } from '../builder/flow-form.ts';
import { FlowRules } from '../flow-rules.tsx';
import { frequencyText } from '../flow-sentence.ts';
import { lastErrorText } from '../last-error.ts';

/** Whom the flow writes to, how often at the most, and what keeps it from doing so. */
export function RulesCard({ flow }: { flow: Flow }) {
  const { data: projects } = useQuery(projectsQuery());
  const { projectId } = flow.action;
  const project = projects?.find(({ id }) => id === projectId);
  const lastError = lastErrorText(flow);
  return (
    <Card title="Condition">
      <div className="grid gap-4">
        <FlowRules flow={flow} />
        {lastError !== undefined && (
          <p className="flex gap-1.5 text-13 text-red-ink">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            {lastError}
          </p>
        )}
        {flow.waiting_for !== null && flow.counts.waiting > 0 && (
          <WaitingNotice reason={flow.waiting_for} until={flow.waiting_until} projectId={projectId} />
        )}
        <dl className="flex flex-wrap gap-x-8 gap-y-1.5 text-13">
          <NamedFact name="To each profile">{frequencyText(flowFields(flow).frequency)}</NamedFact>
          {project !== undefined && (
            <NamedFact name="Project">
              <ProjectTag name={project.name} />
            </NamedFact>
          )}
          <NamedFact name="Waiting">{flow.counts.waiting.toLocaleString('en')}</NamedFact>
          <NamedFact name="Created">
            <DateTime at={flow.created_at} />
          </NamedFact>
        </dl>
      </div>
    </Card>
  );
}
