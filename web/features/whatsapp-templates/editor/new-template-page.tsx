import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import { callApi } from '#web/shared/api.ts';
import { errorText, hasStatus } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { NotFoundCard } from '#web/shared/ui/not-found-card.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { whatsappTemplateQuery } from '#web/shared/whatsapp-template/template-queries.ts';
import { useBusinessAccounts, type BusinessAccount } from '../business-accounts.ts';
import { componentsOf, draftOf, emptyDraft, type TemplateDraft } from './draft.ts';
import { EditorSkeleton } from './editor-skeleton.tsx';
import { headerMediaOf } from './header-media.ts';
import { newTemplateSearch } from './new-template-search.ts';
import { TemplateEditor } from './template-editor.tsx';

/** A template that is written here, or another one's in a further language. */
export function NewTemplatePage() {
  const { from } = newTemplateSearch(useSearch({ strict: false }));
  const canWrite = useCan()('templates:write');
  const { accounts, ...accountsRead } = useBusinessAccounts();
  const source = useQuery({ ...whatsappTemplateQuery(from ?? 0), enabled: from !== undefined });
  if (!canWrite) return <Closed title="Your role does not write templates" hint="Ask an owner or an admin." />;
  if (hasStatus(source.error, 404)) return <NotFoundCard kind="template" />;
  if (source.error !== null) return <Failed what="the template" {...source} />;
  if (accounts === undefined && accountsRead.error !== null) return <Failed what="the numbers" {...accountsRead} />;
  if (accounts === undefined || (from !== undefined && source.data === undefined)) return <EditorSkeleton />;
  const [only] = accounts;
  if (only === undefined) {
    return (
      <Closed
        title="No number of the official API yet"
        hint="Templates belong to the business account of such a number. Connect one, then write them."
      />
    );
  }
  const account = accounts.length === 1 ? only.id : '';
  const initial =
    source.data === undefined
      ? { ...emptyDraft, account }
      : { ...draftOf(source.data), language: '', headerFile: null };
  return (
    <NewTemplate
      key={from ?? 'new'}
      place={from === undefined ? 'new' : `new.from.${from}`}
      initial={initial}
      accounts={accounts}
      isDuplicate={from !== undefined}
    />
  );
}

type NewTemplateProps = {
  place: string;
  initial: TemplateDraft;
  accounts: readonly BusinessAccount[];
  isDuplicate: boolean;
};

function NewTemplate({ place, initial, accounts, isDuplicate }: NewTemplateProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();

  async function submit(draft: TemplateDraft): Promise<void> {
    const { account, name, language, category, format } = draft;
    const made = await callApi('POST /api/whatsapp-templates', {
      body: {
        business_account_id: account,
        name,
        language,
        category,
        parameter_format: format,
        components: componentsOf(draft),
        ...headerMediaOf(draft),
      },
    });
    notify.success('Submitted for review');
    await queryClient.invalidateQueries({ queryKey: queryKeys.whatsappTemplates });
    await navigate({
      to: paths.whatsappTemplate,
      params: { whatsappTemplateId: String(made.id) },
      replace: true,
    });
  }

  return (
    <TemplateEditor
      title={isDuplicate ? `${initial.name} in another language` : 'New template'}
      description={
        isDuplicate
          ? 'Translate the text; name, category and variables stay, so that everything that sends it finds both.'
          : 'WhatsApp reviews it before it can be sent'
      }
      place={place}
      initial={initial}
      accounts={accounts}
      submitLabel="Submit for review"
      onSubmit={submit}
    />
  );
}

function Failed({ what, error, refetch }: { what: string; error: Error | null; refetch: () => Promise<unknown> }) {
  return (
    <Card flush>
      <ErrorPanel
        title={`Failed to load ${what}`}
        detail={errorText(error, 'Try again in a moment.')}
        onRetry={() => void refetch()}
      />
    </Card>
  );
}

function Closed({ title, hint }: { title: string; hint: string }) {
  return (
    <Card flush>
      <EmptyState
        isPage
        icon={<BadgeCheck aria-hidden="true" />}
        title={title}
        hint={hint}
        action={
          <Link to={paths.whatsappTemplates} className={buttonClass()}>
            All WhatsApp templates
          </Link>
        }
      />
    </Card>
  );
}
