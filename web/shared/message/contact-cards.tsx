import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ContactRound, MessageSquare, UserCheck, UserPlus } from 'lucide-react';
import type { SharedContact } from '#contracts/message-content.ts';
import { callApi } from '#web/shared/api.ts';
import { ApiError, errorText } from '#web/shared/api-error.ts';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Allowed } from '#web/shared/ui/allowed.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ContentBox } from './content-box.tsx';

/** People whom a message names: each number can be written to, and kept as a profile. */
export function ContactCards({ contacts }: { contacts: readonly SharedContact[] }) {
  return contacts.map(({ name, phones }, index) => (
    <ContentBox key={index} icon={<ContactRound />} title={name}>
      {phones.map(({ phone, type }, at) => (
        <div key={at} className="flex items-center gap-1">
          <span className="min-w-0 flex-1 tabular-nums">
            {phone}
            {type !== null && ` ${type}`}
          </span>
          <NumberActions name={name} phone={phone} />
        </div>
      ))}
    </ContentBox>
  ));
}

const small = 'grid size-7 shrink-0 place-items-center rounded-small text-chat-ink hover:bg-hover';

function NumberActions({ name, phone }: { name: string; phone: string }) {
  const queryClient = useQueryClient();
  const digits = phone.replaceAll(/\D/g, '').replace(/^00/, '');
  const save = useMutation({
    mutationFn: () => saveProfile({ name, phone: digits }),
    onSuccess: ({ isNew }) => {
      notify.success(isNew ? `${name} is among your profiles now` : 'This number is among your profiles already');
      return queryClient.invalidateQueries({ queryKey: queryKeys.profiles });
    },
    onError: (error) => notify.error(errorText(error, 'The profile was not saved')),
  });
  return (
    <>
      <Link to={paths.inbox} search={{ to: digits }} aria-label={`Message ${name}`} title="Message" className={small}>
        <MessageSquare aria-hidden="true" className="size-4" />
      </Link>
      {save.data === undefined ? (
        <Allowed needs="contacts:write">
          <IconButton
            label={`Save ${name} as a profile`}
            size="small"
            icon={<UserPlus className="size-4" />}
            className="text-chat-ink"
            disabled={save.isPending}
            onClick={() => save.mutate()}
          />
        </Allowed>
      ) : (
        <Link
          to={paths.profile}
          params={{ profileId: String(save.data.profileId) }}
          aria-label={`Open the profile of ${name}`}
          title="Open profile"
          className={small}
        >
          <UserCheck aria-hidden="true" className="size-4" />
        </Link>
      )}
    </>
  );
}

async function saveProfile(body: { name: string; phone: string }): Promise<{ profileId: number; isNew: boolean }> {
  try {
    const { id } = await callApi('POST /api/profiles', { body });
    return { profileId: id, isNew: true };
  } catch (error) {
    if (error instanceof ApiError && error.profileId !== undefined) return { profileId: error.profileId, isNew: false };
    throw error;
  }
}
