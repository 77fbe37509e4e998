import { useMemo, useState } from 'react';
import type { Project } from '#contracts/projects.ts';
import { useCarriedState } from '#web/shared/attach/carried-file.ts';
import { useNamed } from '#web/shared/whatsapp-template/use-bound-template.ts';
import { PhonePreview } from './phone-preview.tsx';
import { RowsCard } from './rows-card.tsx';
import { RunCard } from './run-card.tsx';
import { isOpenRun, type BulkSend, type BulkSendState } from './run/bulk-send.ts';
import type { Outcome } from './run/outcome.ts';
import type { Setup } from './run/setup.ts';
import { useBulkSendState } from './run/use-bulk-send.ts';
import { RowWarnings } from './row-warnings.tsx';
import { bulkFilePlace, bulkHeaderPlace, isComplete, projectOf, textsOf } from './run/setup.ts';
import { SetupCard } from './setup-card.tsx';
import { ShortenedNotice } from './shortened-notice.tsx';
import { useRunActions } from './use-run-actions.ts';

const tenses = {
  waiting: 'as it will be sent',
  sending: 'as it is sent',
  sent: 'as it was sent',
  failed: 'as it was tried',
};

/** All of the page beneath its header: progress, settings, rows, preview. */
export function BulkSendPanels({ bulkSend, projects }: { bulkSend: BulkSend; projects: readonly Project[] }) {
  const state = useBulkSendState(bulkSend);
  const { upload, selected, run } = state;
  const setup = useSetup(state.setup, projects);
  const [activeRow, setActiveRow] = useState<number>();
  const { isTesting, question, onSend, onTest, ...runActions } = useRunActions({ bulkSend, state, projects, setup });

  const isTemplate = setup.kind === 'template';
  const { template } = useNamed(projectOf(setup), isTemplate ? setup.template : null);
  const text = useCarriedState(setup.media, bulkFilePlace);
  const header = useCarriedState(setup.template?.header_media ?? null, bulkHeaderPlace);
  const file = isTemplate ? header : text;
  const isSending = state.isStarting || run?.status === 'running';
  const isLocked = isOpenRun(state);
  const sendingRow = isSending ? sendingRowOf(state) : undefined;
  const previewRow = sendingRow ?? activeRow ?? 0;
  const contact = upload?.contacts[previewRow];

  return (
    <>
      {run !== undefined && <RunCard run={run} {...runActions} />}
      <ShortenedNotice upload={upload} />
      {!isLocked && <RowWarnings message={textsOf(setup)} state={state} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:gap-6 xl:grid-cols-[minmax(0,1fr)_18rem] xl:grid-rows-[auto_1fr]">
        <SetupCard
          bulkSend={bulkSend}
          upload={upload}
          projects={projects}
          setup={setup}
          hasResults={state.outcomes.size > 0}
          isLocked={isLocked}
        />
        <PhonePreview
          message={setup.message}
          carried={file.shown}
          bound={isTemplate ? { value: setup.template, template } : undefined}
          contact={contact}
          caption={captionOf(contact?.row, state.outcomes.get(previewRow))}
        />
        <RowsCard
          bulkSend={bulkSend}
          state={state}
          sendingRow={sendingRow}
          activeRow={previewRow}
          onActiveRow={setActiveRow}
          isLocked={isLocked}
          canSend={
            !isLocked && file.obstacle === undefined && selected.size > 0 && isComplete(setup, upload?.columns ?? [])
          }
          obstacle={file.obstacle}
          isSending={isSending}
          isTesting={isTesting}
          onSend={onSend}
          onTest={onTest}
        />
      </div>
      {question}
    </>
  );
}

/** The first that is with a phone. */
function sendingRowOf({ outcomes }: BulkSendState): number | undefined {
  const sending = [...outcomes].flatMap(([index, { status }]) => (status === 'sending' ? [index] : []));
  return sending.length === 0 ? undefined : sending.reduce((first, index) => Math.min(first, index));
}

/** Before a project is chosen, the only one is; one that is gone is none. */
function useSetup(setup: Setup, projects: readonly Project[]): Setup {
  return useMemo(() => {
    const chosen = setup.projectId === '' && projects.length === 1 ? projects[0] : undefined;
    const project = chosen ?? projects.find(({ id }) => String(id) === setup.projectId);
    return { ...setup, projectId: project === undefined ? '' : String(project.id) };
  }, [setup, projects]);
}

function captionOf(row: number | undefined, outcome: Outcome | undefined): string {
  if (row === undefined) return 'As the first row will see it';
  return `Row ${row.toLocaleString('en')}, ${tenses[outcome?.status ?? 'waiting']}`;
}
