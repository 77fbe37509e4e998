import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Languages, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { callApi } from '#web/shared/api.ts';
import { usePageName } from '#web/shared/page-name.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { languageName } from '#web/shared/whatsapp-template/template-words.ts';
import { DeleteTemplateDialog } from '../delete-template-dialog.tsx';
import { UseLink } from '../list/used-by.tsx';
import { Quality, TemplateBadge } from '../template-state.tsx';
import { canShow, componentsOf, draftOf, type TemplateDraft } from './draft.ts';
import { headerMediaOf } from './header-media.ts';
import { StateNotice } from './state-notice.tsx';
import { TemplateEditor } from './template-editor.tsx';

const editable: ReadonlySet<WhatsappTemplate['status']> = new Set(['approved', 'rejected', 'paused']);

/** Give it another `key` once the template has changed. */
export function EditTemplate({ template }: { template: WhatsappTemplate }) {
  const { id, name, language, status, category, quality, used_by: uses } = template;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const canWrite = useCan()('templates:write');
  const [isDeleting, setDeleting] = useState(false);
  usePageName(name);

  async function submit(draft: TemplateDraft): Promise<void> {
    await callApi('PATCH /api/whatsapp-templates/{whatsappTemplateId}', {
      params: { whatsappTemplateId: id },
      body: {
        ...(draft.category !== category && { category: draft.category }),
        components: componentsOf(draft),
        ...headerMediaOf(draft),
      },
    });
    notify.success('Submitted for review');
    void queryClient.invalidateQueries({ queryKey: queryKeys.whatsappTemplates });
  }

  return (
    <>
      <TemplateEditor
        title={name}
        description={
          <span className="inline-flex flex-wrap items-center gap-x-2">
            {languageName(language)} · Quality <Quality quality={quality} />
            {uses.length > 0 && (
              <span>
                · Used by{' '}
                {uses.map((use, index) => (
                  <span key={`${use.type} ${use.id}`}>
                    {index > 0 && ', '}
                    <UseLink use={use} />
                  </span>
                ))}
              </span>
            )}
          </span>
        }
        badge={<TemplateBadge status={status} />}
        notice={<StateNotice template={template} canWrite={canWrite} />}
        actions={
          canWrite && (
            <>
              <Button
                variant="ghost-danger"
                icon={<Trash2 aria-hidden="true" className="size-4" />}
                onClick={() => setDeleting(true)}
              >
                Delete
              </Button>
              <Link to={paths.newWhatsappTemplate} search={{ from: id }} className={buttonClass()}>
                <Languages aria-hidden="true" className="size-4" />
                Another language
              </Link>
            </>
          )
        }
        place={String(id)}
        initial={draftOf(template)}
        accounts={[]}
        template={template}
        isReadOnly={!canWrite || !editable.has(status) || !canShow(template)}
        submitLabel={status === 'rejected' ? 'Submit again' : 'Submit the change'}
        onSubmit={submit}
      />
      {isDeleting && (
        <DeleteTemplateDialog
          template={template}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: paths.whatsappTemplates })}
        />
      )}
    </>
  );
}
