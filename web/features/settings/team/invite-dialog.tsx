import { useQueryClient } from '@tanstack/react-query';
import type { Project } from '#contracts/projects.ts';
import { roles, roleWords } from '#contracts/roles.ts';
import { NewInvitation } from '#contracts/team.ts';
import type { InvitationWithUrl } from '#contracts/team.ts';
import { callApi } from '#web/shared/api.ts';
import { FieldError } from '#web/shared/form/field.tsx';
import { FormDialog } from '#web/shared/form/form-dialog.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { useCan } from '#web/shared/session.ts';
import { ProjectChoice } from './project-choice.tsx';
import { teamQuery } from './queries.ts';
import { roleNames } from './role-words.ts';

type Props = { projects: readonly Project[]; onSent: (sent: InvitationWithUrl) => void; onClose: () => void };

export function InviteDialog({ projects, onSent, onClose }: Props) {
  const queryClient = useQueryClient();
  const can = useCan();
  const form = useZodForm(NewInvitation, { email: '', role: 'agent', project_ids: null });
  const role = form.watch('role');
  const projectIds = form.watch('project_ids') ?? null;
  return (
    <FormDialog
      onClose={onClose}
      title="Invite people"
      description="They join this account with the role that you choose here."
      form={form}
      onSubmit={async (body) => {
        onSent(await callApi('POST /api/team/invitations', { body }));
        await queryClient.invalidateQueries({ queryKey: teamQuery().queryKey });
      }}
      submitLabel="Send invitation"
      busyLabel="Sending..."
      failureText="Failed to send the invitation"
    >
      <TextField form={form} name="email" label="Email" type="email" autoComplete="off" autoCapitalize="none" />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-13 font-medium">Role</legend>
        {roles.map((each) => (
          <label key={each} className="flex items-start gap-2">
            <input
              type="radio"
              value={each}
              className="mt-1"
              disabled={each === 'owner' && !can('owners:write')}
              title={each === 'owner' && !can('owners:write') ? 'Only an owner invites an owner' : undefined}
              {...form.register('role')}
            />
            <span>
              <span className="font-medium">{roleNames[each]}</span>
              <span className="block text-13 text-muted">{roleWords[each]}</span>
            </span>
          </label>
        ))}
        <FieldError id={undefined} error={form.formState.errors.role?.message} />
      </fieldset>
      {role !== 'owner' && (
        <ProjectChoice
          value={projectIds}
          projects={projects}
          onChange={(value) => form.setValue('project_ids', value, { shouldDirty: true })}
          error={form.formState.errors.project_ids?.message}
        />
      )}
    </FormDialog>
  );
}
