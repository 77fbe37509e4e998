import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useController, useFormState, useWatch } from 'react-hook-form';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Expression } from '#contracts/expressions.ts';
import type { Project } from '#contracts/projects.ts';
import { firstMessage, PeopleButton, PeopleField } from '#web/shared/builder/people-field.tsx';
import { Select } from '#web/shared/form/select.tsx';
import type { SelectOption } from '#web/shared/form/select-input.tsx';
import { useFieldError } from '#web/shared/form/use-zod-form.ts';
import { paths } from '#web/shared/paths.ts';
import { LeftOutSegments } from '#web/shared/pick/left-out-segments.tsx';
import { SegmentField } from '#web/shared/pick/segment-field.tsx';
import { segmentChoicesQuery } from '#web/shared/pick/segment-list.tsx';
import { projectChoices, projectHint } from '#web/shared/project-choice.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import type { CampaignFormOf } from './campaign-form.ts';
import type { Lock } from './campaign-locks.ts';

type TargetFieldsProps = {
  form: CampaignFormOf;
  campaign: Campaign | undefined;
  /** Neither can be changed. */
  lock: Lock | undefined;
};

/** Through which project, to whom. */
export function TargetFields({ form, campaign, lock }: TargetFieldsProps) {
  const left = useController({ control: form.control, name: 'exclude_segment_ids' });
  const leftError = useFieldError(form, 'exclude_segment_ids');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
      <ProjectField form={form} campaign={campaign} lock={lock} />
      <CampaignSegment form={form} campaign={campaign} lock={lock} />
      <div className="sm:col-span-2">
        <LeftOutSegments field={left.field} error={leftError} disabled={lock !== undefined} />
      </div>
    </div>
  );
}

function ProjectField({ form, campaign, lock }: TargetFieldsProps) {
  const { data: projects, isLoadingError } = useQuery(projectsQuery());
  const connected = projects?.filter(({ is_connected }) => is_connected);
  useOnlyChoice(form, connected);
  const hasNone = connected?.length === 0;
  const chosenId = useWatch({ control: form.control, name: 'project_id' });
  const chosen = projects?.find(({ id }) => id === chosenId);
  return (
    <Select
      form={form}
      name="project_id"
      numeric
      label="Project"
      disabled={lock !== undefined}
      placeholder="Select a project"
      options={projectOptions(projects, campaign?.project_id)}
      hint={lock ? lock.reason : (hintFor(connected, isLoadingError) ?? projectHint(chosen))}
      aside={hasNone && <FieldLink to={paths.projects}>View Projects</FieldLink>}
    />
  );
}

function hintFor(connected: readonly Project[] | undefined, hasFailed: boolean): ReactNode | undefined {
  if (hasFailed) return failed('Failed to fetch projects');
  return connected?.length === 0 ? 'Connect a WhatsApp project first.' : undefined;
}

/** Where there is one project to send through, it is chosen; nothing was typed with that. */
function useOnlyChoice(form: CampaignFormOf, connected: readonly Project[] | undefined): void {
  const only = connected?.length === 1 ? connected[0]?.id : undefined;
  const choose = useEffectEvent((projectId: number) => {
    if (form.getValues('project_id') === undefined) form.resetField('project_id', { defaultValue: projectId });
  });
  useEffect(() => {
    if (only !== undefined) choose(only);
  }, [only]);
}

/** The campaign's own also while they load, and once it is deleted. */
function projectOptions(projects: readonly Project[] | undefined, ownId: number | undefined): SelectOption[] {
  const options = projectChoices(projects ?? [], ownId);
  if (ownId === undefined || projects?.some(({ id }) => id === ownId)) return options;
  return [{ value: String(ownId), label: `Project #${ownId}` }, ...options];
}

function CampaignSegment({ form, campaign, lock }: TargetFieldsProps) {
  const { data, isLoadingError } = useQuery(segmentChoicesQuery(''));
  const expression = useWatch({ control: form.control, name: 'expression' });
  const { errors } = useFormState({ control: form.control });
  const hasNone = data?.data.length === 0;
  const usualHint = isLoadingError ? failed('Failed to fetch segments') : 'Pick the target segment for this campaign.';
  const put = (next: Expression | null) => {
    if (next) form.setValue('segment_id', null, { shouldDirty: true });
    form.clearErrors(['segment_id', 'expression']);
    form.setValue('expression', next, { shouldDirty: true });
  };
  if (expression) {
    return (
      <PeopleField
        label="Segment"
        value={expression}
        onChange={put}
        error={firstMessage(errors.expression)}
        insteadLabel="Choose a segment instead"
        disabled={lock !== undefined}
      />
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      <SegmentField
        form={form}
        name="segment_id"
        label="Segment"
        disabled={lock !== undefined}
        placeholder={hasNone ? 'No segments yet' : 'Select a segment'}
        fallback={campaign && (campaign.segment_name ?? `Segment #${campaign.segment_id} (deleted)`)}
        hint={lock ? lock.reason : usualHint}
        aside={hasNone && <FieldLink to={paths.segments}>Create a segment</FieldLink>}
      />
      {lock === undefined && (
        <span>
          <PeopleButton value={null} onChange={put} label="People who…" />
        </span>
      )}
    </div>
  );
}

function failed(words: string): ReactNode {
  return <span className="text-red-ink">{words}</span>;
}

/** To a page that makes what is missing; it opens its form. */
function FieldLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} state={{ isNewWanted: true }} className="rounded-small text-accent-ink hover:underline">
      {children}
    </Link>
  );
}
