import { Badge, StatusDot } from '#web/shared/ui/status-badge.tsx';
import { useLabels } from './use-labels.ts';

type LabelsProps = { names: readonly string[]; projectId: number };

/** Labels in full, with their colours. */
export function LabelTags({ names, projectId }: LabelsProps) {
  const colorOf = useColorOf(projectId);
  return names.map((name) => (
    <Badge key={name} color={colorOf(name)}>
      {name}
    </Badge>
  ));
}

/** For a row of the list: a dot and the name of each, as many as there is room for. */
export function LabelDots({ names, projectId }: LabelsProps) {
  const colorOf = useColorOf(projectId);
  return names.map((name) => (
    <span key={name} className="flex min-w-0 items-center gap-1.5 text-12 text-muted">
      <StatusDot color={colorOf(name)} />
      <bdi className="truncate">{name}</bdi>
    </span>
  ));
}

function useColorOf(projectId: number) {
  const labels = useLabels(projectId);
  return (name: string) => labels.find((label) => label.name === name)?.color ?? 'gray';
}
