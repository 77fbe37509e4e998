import type { DayCounts } from '#contracts/messages.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Project } from '#contracts/projects.ts';

export type StepName = 'plan' | 'project' | 'phone' | 'message';
export type Step = { name: StepName; isDone: boolean };

/** Of the current project; nobody comes here without a plan. */
export type FirstRunFacts = {
  project: Project | undefined;
  phones: readonly PhoneNumber[];
  days: readonly DayCounts[];
};

/** The first steps of a new account, in order. */
export function firstSteps({ project, phones, days }: FirstRunFacts): readonly Step[] {
  const hasSent = days.some(({ sent }) => sent > 0) || hasSentLongAgo({ project, phones, days });
  // `disconnected` is what was connected once.
  const wasConnected = project?.is_connected === true || project?.status === 'disconnected';
  return [
    { name: 'plan', isDone: true },
    { name: 'project', isDone: project !== undefined },
    { name: 'phone', isDone: hasSent || wasConnected },
    { name: 'message', isDone: hasSent },
  ];
}

/** Before the days that are told. Of a younger project those days say it better: a message may have failed. */
function hasSentLongAgo({ project, phones, days }: FirstRunFacts): boolean {
  const [firstDay] = days;
  if (project === undefined || firstDay === undefined || project.created_at.slice(0, 10) >= firstDay.date) return false;
  return phones.some(({ message_count: count }) => count > 0);
}
