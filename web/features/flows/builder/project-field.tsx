import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { Project } from '#contracts/projects.ts';
import { Select } from '#web/shared/form/select.tsx';
import { paths } from '#web/shared/paths.ts';
import type { FlowForm } from './flow-form.ts';

type ProjectFieldProps = {
  form: FlowForm;
  /** Undefined where they could not be fetched. */
  projects: readonly Project[] | undefined;
};

/** Connected projects alone can be chosen; the one that is chosen stays on the list while it is away. */
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
      hint={hintFor(projects)}
      options={(projects ?? [])
        .filter(({ id, is_connected }) => is_connected || id === chosenId)
        .map(({ id, name, is_connected }) => ({
          value: String(id),
          label: is_connected ? name : `${name} (not connected)`,
        }))}
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
