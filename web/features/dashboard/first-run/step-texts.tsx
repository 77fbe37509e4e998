import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { FlaskConical, Plus, QrCode, Send } from 'lucide-react';
import { isSimulated } from '#contracts/connectors.ts';
import type { Project } from '#contracts/projects.ts';
import { paths } from '#web/shared/paths.ts';
import { useIsOnTrial, useSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import type { Step, StepName } from './first-steps.ts';

export const stepTitles: Record<StepName, string> = {
  plan: 'Choose a plan',
  project: 'Create a project',
  phone: 'Connect a phone',
  message: 'Send the first message',
};

/** Where messages are written on this page. */
export const sendMessageId = 'send-message';

/** Where a step is done. */
export function stepTarget(name: StepName, project: Project | undefined) {
  switch (name) {
    case 'plan':
      return { to: paths.settings, hash: 'subscription' } as const;
    case 'project':
      return project === undefined ? ({ to: paths.newProject } as const) : toProject(project);
    case 'phone':
      return project === undefined
        ? ({ to: paths.newProject } as const)
        : ({ to: paths.connectNumber, params: { projectId: String(project.id) } } as const);
    case 'message':
      return hasSandbox(project) ? toFirstMessage(project) : ({ to: paths.dashboard, hash: sendMessageId } as const);
  }
}

/** Its next message would leave by a sandbox. */
export const hasSandbox = (project: Project | undefined): project is Project =>
  project !== undefined && project.sending.connector !== null && isSimulated(project.sending.connector);

const toFirstMessage = ({ id }: Project) => ({ to: paths.firstMessage, params: { projectId: String(id) } }) as const;

const toProject = ({ id }: Project) => ({ to: paths.project, params: { projectId: String(id) } }) as const;

const actions = {
  plan: { label: 'See plan', icon: undefined },
  project: { label: 'Create project', icon: Plus },
  phone: { label: 'Connect WhatsApp', icon: QrCode },
  message: { label: 'Write a message', icon: Send },
} as const;

export function StepAction({ name, project }: { name: StepName; project: Project | undefined }) {
  const { label, icon: Icon } = actions[name];
  const hasSandboxFirst = useIsOnTrial() && name === 'phone' && project !== undefined;
  return (
    <div className={clsx('flex flex-wrap gap-2', hasSandboxFirst && 'flex-row-reverse justify-end')}>
      <Link {...stepTarget(name, project)} className={buttonClass(hasSandboxFirst ? undefined : 'primary')}>
        {Icon && <Icon aria-hidden="true" className="size-4" />}
        {label}
      </Link>
      {name === 'phone' && project !== undefined && (
        <Link {...toFirstMessage(project)} className={buttonClass(hasSandboxFirst ? 'primary' : undefined)}>
          <FlaskConical aria-hidden="true" className="size-4" />
          Try the sandbox
        </Link>
      )}
    </div>
  );
}

export function StepText({ step, project }: { step: Step; project: Project | undefined }) {
  const isOnTrial = useIsOnTrial();
  switch (step.name) {
    case 'plan':
      return <PlanText />;
    case 'project':
      if (project === undefined) return 'It keeps your phones, its auth key and its webhook together.';
      return (
        <>
          <bdi>{project.name}</bdi> has its auth key.
        </>
      );
    case 'phone':
      if (step.isDone && hasSandbox(project)) {
        return 'A sandbox is connected: what it sends reaches nobody. Scan a QR code with WhatsApp to send for real.';
      }
      if (step.isDone)
        return project?.sending.connector ? 'WhatsApp knows this project.' : 'A phone number is connected.';
      if (isOnTrial) return 'Try everything in the sandbox, without sending to anyone. WhatsApp comes with a plan.';
      return 'Scan a QR code with WhatsApp. No phone at hand? Try everything in the sandbox, without sending to anyone.';
    case 'message':
      return 'From this page, or with one request to the API.';
  }
}

function PlanText() {
  const { subscription } = useSession();
  const plan = subscription?.plan ?? subscription?.subscriptionPlan;
  const renewal = subscription?.currentSubscription?.next_payment_at;
  if (subscription?.trial_ends_at) {
    return `On trial until ${formatLongDate(subscription.trial_ends_at)}: sandbox numbers alone. A plan connects WhatsApp.`;
  }
  if (plan === undefined) return 'You have a plan.';
  return renewal ? `${plan.name}, renews on ${formatLongDate(renewal)}.` : `${plan.name}.`;
}
