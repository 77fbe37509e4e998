import { Link } from '@tanstack/react-router';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { paths } from '#web/shared/paths.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { languageName } from '#web/shared/whatsapp-template/template-words.ts';
import { adviceFor } from '../template-state.tsx';
import { usesInWords } from './used-by.tsx';

/** The paused templates, whose messages wait or fail meanwhile. */
export function TroubleNotice({ templates }: { templates: readonly WhatsappTemplate[] }) {
  const paused = templates.filter(({ status }) => status === 'paused');
  const [first] = paused;
  if (first === undefined) return null;
  const { name, language, used_by: uses, paused_until: until } = first;
  const end = until === null ? '' : ` until ${formatDateTime(until)}`;
  const title =
    paused.length === 1
      ? `“${name}” in ${languageName(language)} is paused${end}`
      : `${paused.length} templates are paused`;
  return (
    <Notice
      color="yellow"
      title={title}
      live
      action={
        paused.length === 1 ? (
          <Link
            to={paths.whatsappTemplate}
            params={{ whatsappTemplateId: String(first.id) }}
            className={buttonClass('secondary', 'small')}
          >
            Open it
          </Link>
        ) : (
          <Link
            to={paths.whatsappTemplates}
            search={{ status: 'paused' }}
            className={buttonClass('secondary', 'small')}
          >
            Show them
          </Link>
        )
      }
    >
      {adviceFor({ status: 'paused', reason: null })}
      {paused.length === 1 && uses.length > 0 && ` It is used by ${usesInWords(uses)}.`}
    </Notice>
  );
}
