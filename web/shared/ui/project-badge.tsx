import { isSimulated } from '#contracts/connectors.ts';
import type { Project } from '#contracts/projects.ts';
import { Badge, connectionColor, statusWord } from './status-badge.tsx';

/** Connected, and yet the next message has no phone to leave by. */
export function isStuck({ is_connected, sending }: Project): boolean {
  return is_connected && !sending.can_send;
}

/** How a project stands, by the rotation's own answer: what only a sandbox sends reaches nobody. */
export function projectStatusWord(project: Project): string {
  if (isStuck(project)) return 'Cannot send now';
  const isSandbox =
    project.is_connected && project.sending.connector !== null && isSimulated(project.sending.connector);
  return isSandbox ? 'Sandbox connected' : statusWord(project.status);
}

export function ProjectBadge({ project }: { project: Project }) {
  return (
    <Badge color={isStuck(project) ? 'yellow' : connectionColor(project.status)}>{projectStatusWord(project)}</Badge>
  );
}
