import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { whatsappTemplateQuery } from '#web/shared/whatsapp-template/template-queries.ts';
import { EditTemplate } from './edit-template.tsx';
import { EditorSkeleton } from './editor-skeleton.tsx';

/** A template: its state, and its text, which may be changed in some states. */
export function TemplatePage() {
  const id = Number(useParams({ from: '/shell/whatsapp-templates/$whatsappTemplateId' }).whatsappTemplateId);
  const isId = Number.isSafeInteger(id) && id > 0;
  const { data: template, error, refetch } = useQuery({ ...whatsappTemplateQuery(id), enabled: isId });
  if (!isId || hasStatus(error, 404)) return <NotFoundCard kind="template" />;
  if (template === undefined) {
    if (error === null) return <EditorSkeleton />;
    return (
      <Card flush>
        <ErrorPanel
          title="Failed to load the template"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  return <EditTemplate key={`${template.id} ${template.updated_at}`} template={template} />;
}
