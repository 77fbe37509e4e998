import { useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import type { Member } from '#contracts/team.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { ProjectChoice } from './project-choice.tsx';

type Props = {
  member: Member;
  projects: readonly Project[];
  onSave: (projectIds: number[] | null) => Promise<unknown>;
  onClose: () => void;
};

export function ProjectsDialog({ member: { name, project_ids: before }, projects, onSave, onClose }: Props) {
  const [projectIds, setProjectIds] = useState<number[] | null>(before);
  const [isSaving, setSaving] = useState(false);

  async function save(): Promise<void> {
    setSaving(true);
    try {
      await onSave(projectIds);
      onClose();
    } catch {
      // A toast has said why.
      setSaving(false);
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title={`Projects of “${name}”`}>
      <DialogBody>
        <ProjectChoice value={projectIds} projects={projects} onChange={setProjectIds} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabled={projectIds?.length === 0}
          busy={isSaving && 'Saving...'}
          onClick={() => void save()}
        >
          Save
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
