import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { isSimulated } from '#contracts/connectors.ts';
import { customPath, useFieldNames } from '#web/shared/conditions/use-field-names.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { paths } from '#web/shared/paths.ts';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { NumberTopics } from '#web/shared/topics/number-topics.tsx';
import { topicsQuery } from '#web/shared/topics/topics-query.ts';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { Avatar } from '#web/shared/ui/avatar.tsx';
import { useContactName } from '../contact-name.tsx';
import { valuesOf } from '../composer/insert-value.tsx';
import { conversationQuery } from '../inbox-queries.ts';
import { contactProfileQuery } from './contact-profile-query.ts';
import { ConversationLabels } from './conversation-labels.tsx';
import { WhatsAppFacts } from './whatsapp-facts.tsx';

/** The contact of a conversation: the profile, and the phone that replies go through. */
export function ContactPane({ conversationId, onBack }: { conversationId: number; onBack: () => void }) {
  const { data: conversation } = useQuery(conversationQuery(conversationId));
  const { data: profile } = useQuery(contactProfileQuery(conversation?.profile_id ?? null));
  const { data: phones } = useQuery({
    ...phoneNumbersQuery(conversation?.project_id ?? 0),
    enabled: conversation !== undefined,
  });
  const name = useContactName(conversation ?? { name: null, phone: null });
  const format = usePhoneFormat();
  const hasTopics = (useQuery(topicsQuery()).data ?? []).length > 0;
  const fields = profile === undefined ? [] : valuesOf(profile).filter(([key]) => key !== 'name' && key !== 'phone');
  const nameOf = useFieldNames(fields.map(([key]) => customPath(key)));
  if (conversation === undefined) return null;
  const phone = phones?.find(({ id }) => id === conversation.phone_id);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Section>
        <div className="flex items-start justify-between">
          <Avatar id={conversation.id} name={conversation.name} size="large" />
          <IconButton
            label="Back to the messages"
            icon={<ArrowLeft className="size-4" />}
            onClick={onBack}
            className="min-[1280px]:hidden"
          />
        </div>
        <h2 className="mt-3 text-16 wrap-anywhere">
          <bdi>{name}</bdi>
        </h2>
        {conversation.phone !== null && (
          <p className="flex items-center gap-1 text-muted tabular-nums">
            {format(conversation.phone)}
            <CopyButton
              value={conversation.phone}
              label="Copy number"
              texts={{ copied: 'Number copied to clipboard', failed: 'Failed to copy the number' }}
              iconOnly
            />
          </p>
        )}
        {conversation.opted_out && (
          <p className="mt-2">
            <Badge color="yellow">Opted out</Badge>
          </p>
        )}
        <p className="mt-2">
          {conversation.profile_id === null ? (
            <span className="text-13 text-muted">Nobody with this number is among your profiles.</span>
          ) : (
            <Link
              to={paths.profile}
              params={{ profileId: String(conversation.profile_id) }}
              className="font-medium text-accent-ink hover:underline"
            >
              Open profile
            </Link>
          )}
        </p>
      </Section>
      <Section title="Labels">
        <ConversationLabels conversation={conversation} />
      </Section>
      {phone?.is_connected === true && <WhatsAppFacts phone={conversation.phone ?? `lid:${conversation.lid}`} />}
      {conversation.phone !== null && hasTopics && (
        <Section title="Topics">
          <NumberTopics phone={conversation.phone} mostLines={3} />
        </Section>
      )}
      {phone !== undefined && (
        <Section title="Phone">
          <Link
            to={paths.phoneNumbers}
            params={{ projectId: String(conversation.project_id) }}
            className="font-medium text-accent-ink hover:underline"
          >
            <bdi>{phone.name ?? format(phone.phone_number ?? '')}</bdi>
          </Link>
          <p className="text-13 text-muted text-pretty">
            The conversation is with this number, so replies go through it.
            {!phone.is_connected && ' It is not connected now.'}
          </p>
          {isSimulated(phone.connector) && (
            <p className="mt-1.5">
              <Tag>Sandbox</Tag>
            </p>
          )}
        </Section>
      )}
      {fields.length > 0 && (
        <Section title="Fields">
          <dl className="grid gap-1.5 text-13">
            {fields.map(([key, value]) => (
              <div key={key} className="flex justify-between gap-4">
                <dt className="shrink-0 text-muted">
                  <bdi title={key}>{nameOf(customPath(key)) ?? key}</bdi>
                </dt>
                <dd className="min-w-0 text-right wrap-anywhere">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
    </div>
  );
}

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="border-b px-5 py-4 last:border-b-0">
      {title !== undefined && <h3 className="mb-1.5 text-12 font-medium text-muted">{title}</h3>}
      {children}
    </section>
  );
}
