import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { Project } from '#contracts/projects.ts';
import { Select } from '#web/shared/form/select.tsx';
import { paths } from '#web/shared/paths.ts';
import { projectChoices, projectHint } from '#web/shared/project-choice.ts';
import type { FlowForm } from './flow-form.ts';

type ProjectFieldProps = {
  form: FlowForm;
  /** Undefined where they could not be fetched. */
  projects: readonly Project[] | undefined;
};

/** Connected projects alone can be chosen; the one that is chosen stays on the list while it is away. Says why one cannot send. */
export function ProjectField({ form, projects }: ProjectFieldProps) {
  const chosenId = useWatch({ control: form.control, name: 'action.projectId' });
  return (
    <Select
      form={form}
      name="action.projectId"
      label="Project"
      numeric
      required
      placeholder="Select a project"
      hint={hintFor(projects) ?? projectHint(projects?.find(({ id }) => id === chosenId))}
      options={projectChoices(projects ?? [], chosenId)}
    />
  );
}

function hintFor(projects: readonly Project[] | undefined): ReactNode | undefined {
  if (projects === undefined) return <span className="text-red-ink">Failed to fetch projects</span>;
  if (projects.some((project) => project.is_connected)) return undefined;
  return (
    <Link to={paths.projects} className="underline hover:text-ink">
      Connect a WhatsApp project first.
    </Link>
  );
}
