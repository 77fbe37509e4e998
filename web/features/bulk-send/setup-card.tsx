import { clsx } from 'clsx';
import { memo } from 'react';
import type { Project } from '#contracts/projects.ts';
import { useCarriedFile } from '#web/shared/attach/carried-file.ts';
import { CarriedFileField } from '#web/shared/attach/carried-file-field.tsx';
import { DropHint } from '#web/shared/attach/drop-hint.tsx';
import { TopicChoice } from '#web/shared/topics/topic-choice.tsx';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { projectHint } from '#web/shared/project-choice.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ContactsField } from './contacts-field.tsx';
import { BoundTemplateFields } from '#web/shared/whatsapp-template/bound-template-fields.tsx';
import { MessageKindChoice } from '#web/shared/whatsapp-template/message-kind-choice.tsx';
import { useBoundTemplate } from '#web/shared/whatsapp-template/use-bound-template.ts';
import { unknownPlaceholders } from './fill-message.ts';
import { MessageField, unknownText } from './message-field.tsx';
import { changeSetup, type BulkSend } from './run/bulk-send.ts';
import type { Upload } from './run/run-storage.ts';
import { bulkFilePlace, bulkHeaderPlace, isDelay, projectOf, type Setup } from './run/setup.ts';

type SetupCardProps = {
  bulkSend: BulkSend;
  upload: Upload | undefined;
  projects: readonly Project[];
  setup: Setup;
  /** Some rows have been sent to. */
  hasResults: boolean;
  /** While a run holds on to what it was given. */
  isLocked: boolean;
};

/** Memoized, so that it does not render again while rows are sent. */
export const SetupCard = memo(function SetupCard(props: SetupCardProps) {
  const { bulkSend, upload, projects, setup, hasResults, isLocked } = props;
  const change = (part: Partial<Setup>) => void changeSetup(bulkSend, part);
  const file = useCarriedFile({
    place: bulkFilePlace,
    value: setup.media,
    onChange: (media) => change({ media }),
    isOff: isLocked,
  });
  const bound = useBoundTemplate({
    projectId: projectOf(setup),
    value: setup.template,
    change: (next) => change({ template: next(bulkSend.getState().setup.template) }),
    isOff: isLocked,
    place: bulkHeaderPlace,
  });
  const isTemplate = setup.kind === 'template';
  const { drop } = isTemplate ? bound.file.attach : file.attach;
  return (
    <Card>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <Field label="Project" hint={projectHint(projects.find(({ id }) => String(id) === setup.projectId))}>
          {(control) => (
            <SelectInput
              {...control}
              value={setup.projectId}
              disabled={isLocked}
              placeholder={projects.length === 0 ? 'No projects' : 'Select a project'}
              options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
              onChange={({ target }) => change({ projectId: target.value })}
            />
          )}
        </Field>
        <Field label="Delay between messages" error={!isDelay(setup.delay) ? 'Enter 0 or more' : undefined}>
          {(control) => (
            <span className="relative block">
              <input
                {...control}
                type="number"
                min={0}
                step={1}
                inputMode="numeric"
                value={setup.delay}
                disabled={isLocked}
                onChange={({ target }) => change({ delay: target.value })}
                className={clsx(controlClass, 'h-(--control) pr-10 pl-3 tabular-nums')}
              />
              <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-13 text-muted">
                ms
              </span>
            </span>
          )}
        </Field>
        <div className="grid gap-4 sm:col-span-2">
          <TopicChoice value={setup.topicId} onChange={(topicId) => change({ topicId })} disabled={isLocked} />
          <ContactsField bulkSend={bulkSend} upload={upload} isRunOpen={isLocked} hasResults={hasResults} />
          <MessageKindChoice
            projectId={projectOf(setup)}
            value={setup.kind}
            onChange={(kind) => change({ kind })}
            disabled={isLocked}
          />
          <div {...drop.handlers} className="relative">
            {isTemplate ? (
              <BoundTemplateFields
                form={bound}
                errorOf={(path) => unknownIn(setup, upload, path)}
                columns={upload?.columns ?? []}
              />
            ) : (
              <CarriedFileField file={file}>
                <MessageField
                  value={setup.message}
                  columns={upload?.columns ?? []}
                  maxLength={file.maxLength}
                  disabled={isLocked}
                  onChange={(message) => change({ message })}
                />
              </CarriedFileField>
            )}
            {drop.isOver && <DropHint>Drop a file to attach it</DropHint>}
          </div>
        </div>
      </div>
    </Card>
  );
});

/** Of `variables.order`: placeholders that no column fills. */
function unknownIn({ template }: Setup, upload: Upload | undefined, path: string): string | undefined {
  const variable = template?.variables[path.replace('variables.', '')];
  if (variable === undefined || upload === undefined || variable.default.trim() !== '') return undefined;
  const unknown = unknownPlaceholders(variable.text, upload.columns);
  return unknown.length === 0 ? undefined : unknownText(unknown);
}
