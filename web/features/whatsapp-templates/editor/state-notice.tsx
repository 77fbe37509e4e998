import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Notice } from '#web/shared/ui/notice.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { adviceFor } from '../template-state.tsx';
import { canShow } from './draft.ts';

/** The consequences of a template's state, and why it cannot be changed where it cannot. */
export function StateNotice({ template, canWrite }: { template: WhatsappTemplate; canWrite: boolean }) {
  const { status, reason, paused_until: until, updated_at: at } = template;
  const said = reason === null ? '' : `: ${reason}`;
  const limits = canShow(template)
    ? undefined
    : 'It has parts that this form has no fields for, such as a carousel or a form: change it in WhatsApp Manager.';
  switch (status) {
    case 'rejected':
      return (
        <Notice color="red" title={`WhatsApp rejected this${said}`} live>
          {adviceFor(template)} {limits}
        </Notice>
      );
    case 'disabled':
      return (
        <Notice color="red" title={`WhatsApp has disabled this${said}`} live>
          {adviceFor(template)}
        </Notice>
      );
    case 'paused':
      return (
        <Notice
          color="yellow"
          title={`WhatsApp has paused this${until === null ? '' : ` until ${formatDateTime(until)}`}${said}`}
          live
        >
          {adviceFor(template)}
        </Notice>
      );
    case 'pending':
      return (
        <Notice color="gray" title="WhatsApp is reviewing this" live>
          Handed in <RelativeTime at={at} />. It takes minutes, at most a day; until then it can neither be sent nor
          changed. This page says when it is decided.
        </Notice>
      );
    case 'other':
      return (
        <Notice color="gray" title={`This cannot be used now${said}`} live>
          WhatsApp has it in a state in which it is neither sent nor changed. WhatsApp Manager says more.
        </Notice>
      );
    case 'approved':
      if (limits !== undefined)
        return (
          <Notice color="gray" title="Approved">
            {limits}
          </Notice>
        );
      if (!canWrite) return null;
      return (
        <Notice color="gray" title="A change is reviewed again">
          Until it is approved the template cannot be sent. An approved template changes once a day, ten times in 30
          days.
        </Notice>
      );
  }
}
