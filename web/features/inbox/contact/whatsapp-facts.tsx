import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '#web/shared/api-error.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { useCan } from '#web/shared/session.ts';
import { Photo } from '#web/shared/ui/photo.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

const contactQuery = (phone: string) =>
  queryOptions({
    queryKey: queryKeys.contact(phone),
    queryFn: ({ signal }) => callApi('GET /api/contacts/{phone}', { params: { phone } }, { signal }),
    placeholderData: noPlaceholder,
    staleTime: Infinity,
    retry: false,
  });

/** The about and the photo of a person on WhatsApp, and whether they are blocked; nothing where no phone can ask. */
export function WhatsAppFacts({ phone }: { phone: string }) {
  const can = useCan();
  const queryClient = useQueryClient();
  const { data: contact } = useQuery({ ...contactQuery(phone), enabled: can('contacts:read') });
  const block = useMutation({
    mutationFn: (isBlocked: boolean) =>
      callApi(isBlocked ? 'PUT /api/contacts/{phone}/block' : 'DELETE /api/contacts/{phone}/block', {
        params: { phone },
      }),
    onSuccess: (changed) => {
      queryClient.setQueryData(contactQuery(phone).queryKey, changed);
      notify.success(changed.is_blocked ? 'Contact blocked' : 'Contact unblocked');
    },
    onError: (error, isBlocked) =>
      notify.error(errorText(error, isBlocked ? 'Failed to block the contact' : 'Failed to unblock the contact')),
  });
  if (contact === undefined) return null;
  return (
    <section aria-label="On WhatsApp" className="border-b px-5 py-4">
      <h3 className="mb-1.5 text-12 font-medium text-muted">On WhatsApp</h3>
      <div className="flex items-start gap-3">
        {contact.photo !== null && <Photo photo={contact.photo} />}
        <p className="min-w-0 text-13 wrap-anywhere">
          {contact.about === null ? (
            <span className="text-muted">Their “about” is empty or hidden.</span>
          ) : (
            <bdi>{contact.about}</bdi>
          )}
        </p>
      </div>
      {can('contacts:write') && (
        <p className="mt-2.5 flex flex-wrap items-center gap-2">
          <Button size="small" busy={block.isPending} onClick={() => block.mutate(!contact.is_blocked)}>
            {contact.is_blocked ? 'Unblock' : 'Block'}
          </Button>
          {contact.is_blocked && <span className="text-13 text-muted">This phone takes nothing from them.</span>}
        </p>
      )}
    </section>
  );
}
