import type { Project } from '#contracts/projects.ts';
import type { SelectOption } from './form/select-input.tsx';
import { formatDateTime } from './time-format.ts';

/** The connected projects, and the chosen one whatever its state; each says when it cannot send now. */
export function projectChoices(projects: readonly Project[], chosenId: number | undefined): SelectOption[] {
  return projects
    .filter(({ id, is_connected }) => is_connected || id === chosenId)
    .map((project) => ({ value: String(project.id), label: `${project.name}${stateOf(project)}` }));
}

function stateOf({ is_connected, sending }: Project): string {
  if (!is_connected) return ' (not connected)';
  return sending.can_send ? '' : ' (cannot send now)';
}

/** Under a choice of projects: why the chosen one waits, else how many of its phones are connected. */
export function projectHint(project: Project | undefined): string | undefined {
  if (!project?.is_connected) return undefined;
  return waitingText(project) ?? phonesText(project);
}

function phonesText({ phone_count: all, connected_phone_count: connected }: Project): string | undefined {
  // Servers of the release before do not count, and the only phone of a connected project needs no words.
  if (!(all > 1)) return undefined;
  return connected < all ? `${connected} of ${all} phones connected` : `${all} phones connected`;
}

/** Why what is sent through a connected project waits, and until when; undefined for one that can send now. */
export function waitingText(project: Project | undefined): string | undefined {
  if (!project?.is_connected || project.sending.can_send) return undefined;
  const { message, until } = project.sending;
  const reason = message === null ? '' : `${message.replace(/\.$/, '')}. `;
  return `${reason}Messages wait until ${until === null ? 'it can send' : formatDateTime(until)}.`;
}
