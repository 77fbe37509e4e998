import { useQuery } from '@tanstack/react-query';
import type { Flow } from '#contracts/flows.ts';
import type { Project } from '#contracts/projects.ts';
import { EditedThing } from '#web/shared/form/edited-thing.tsx';
import { flowQuery } from '#web/shared/queries.ts';
import type { Editor } from '#web/shared/form/use-editor.ts';
import { FlowDialog } from './flow-dialog.tsx';

type FlowEditorProps = {
  editor: Editor;
  shown: readonly Flow[] | undefined;
  /** Undefined where they could not be fetched. */
  projects: readonly Project[] | undefined;
  onClose: () => void;
};

/** The editor that the address opens: of a new flow, a copy, or one of the list or elsewhere. */
export function FlowEditor({ editor, shown, projects, onClose }: FlowEditorProps) {
  const id = editor.kind === 'new' ? undefined : editor.id;
  const onPage = shown?.find((flow) => flow.id === id);
  const query = useQuery({ ...flowQuery(id ?? 0), enabled: id !== undefined && !onPage });
  if (editor.kind === 'new') return <FlowDialog projects={projects} onClose={onClose} />;
  return (
    <EditedThing
      thing={onPage ?? query.data}
      error={query.error}
      onRetry={() => void query.refetch()}
      noun="Flow"
      onClose={onClose}
    >
      {(flow) =>
        editor.kind === 'copy' ? (
          <FlowDialog copyOf={flow} projects={projects} onClose={onClose} />
        ) : (
          <FlowDialog flow={flow} projects={projects} onClose={onClose} />
        )
      }
    </EditedThing>
  );
}
