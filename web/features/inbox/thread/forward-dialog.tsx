import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Conversation } from '#contracts/conversations.ts';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { SearchList } from '#web/shared/form/search-list.tsx';
import { usePhoneFormat } from '#web/shared/phone-format.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { randomId } from '#web/shared/random-id.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';
import { noteSentHere } from '../composer/sent-here.ts';

/** As many as WhatsApp lets a handset forward to at once. */
const mostChosen = 5;
const searchMs = 200;
const listed = 20;

type ForwardDialogProps = { message: Message; onClose: () => void };

type Failure = { id: number; name: string; reason: string };

/** Sends a message on to other conversations of its project, marked as forwarded. */
export function ForwardDialog({ message, onClose }: ForwardDialogProps) {
  const queryClient = useQueryClient();
  const format = usePhoneFormat();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [isBusy, setBusy] = useState(false);
  // Tried again, a message whose answer was lost goes out once.
  const keys = useRef(new Map<number, string>());
  const projectId = message.project_id;
  const asked = useDebounced(search.trim(), searchMs);
  const { data, isPending, isError, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.conversationList(projectId), 'forward', asked],
    queryFn: ({ signal }) =>
      callApi(
        'GET /api/conversations',
        { query: { project_id: projectId, limit: listed, ...(asked !== '' && { search: asked }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const nameOf = ({ name, phone }: Conversation) => name ?? (phone === null ? 'Hidden number' : format(phone));
  const numberOf = ({ name, phone }: Conversation) => (name === null || phone === null ? undefined : format(phone));

  function toggle(id: number, name: string): void {
    const next = new Map(chosen);
    if (!next.delete(id)) next.set(id, name);
    setChosen(next);
  }

  async function forward(): Promise<void> {
    setBusy(true);
    const failed: Failure[] = [];
    for (const [id, name] of chosen) {
      const key = keys.current.get(id) ?? randomId();
      keys.current.set(id, key);
      try {
        const call = { params: { conversationId: id }, body: { forward: { message_id: message.id } } };
        const sent = await callApi('POST /api/conversations/{conversationId}/messages', call, { idempotencyKey: key });
        noteSentHere(sent.id);
      } catch (error) {
        failed.push({ id, name, reason: errorText(error, 'It was not sent. Try again.') });
      }
    }
    setBusy(false);
    void queryClient.invalidateQueries({ queryKey: queryKeys.conversations });
    const done = chosen.size - failed.length;
    if (done > 0) notify.success(`Forwarded to ${done} conversation${done === 1 ? '' : 's'}`);
    if (failed.length === 0) return onClose();
    setFailures(failed);
    setChosen(new Map(failed.map(({ id, name }) => [id, name])));
  }

  const isFull = chosen.size >= mostChosen;
  const options = (data?.data ?? []).map((conversation) => {
    const value = String(conversation.id);
    const aside = numberOf(conversation);
    const isLeftOut = isFull && !chosen.has(conversation.id);
    return { value, label: nameOf(conversation), disabled: isLeftOut, ...(aside !== undefined && { aside }) };
  });
  return (
    <Dialog
      isOpen
      onClose={() => !isBusy && onClose()}
      title="Forward message"
      description={`To up to ${mostChosen} conversations. It is marked as forwarded.`}
    >
      <DialogBody>
        <SearchList
          label="Conversations"
          search={search}
          onSearch={setSearch}
          options={options}
          chosen={[...chosen.keys()].map(String)}
          onChoose={({ value, label }) => toggle(Number(value), label)}
          isLoading={isPending}
          isStale={isPlaceholderData || asked !== search.trim()}
          problem={isError ? 'Failed to fetch conversations' : undefined}
          empty={asked === '' ? 'There are no conversations yet.' : 'No conversation matches.'}
        />
        {failures.length > 0 && (
          <Notice live color="red" title={failures.length === 1 ? 'It was not sent to one' : 'It was not sent to some'}>
            <ul>
              {failures.map(({ id, name, reason }) => (
                <li key={id}>
                  <bdi>{name}</bdi>: {reason}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <p role="status" className="text-13 text-muted">
          {chosen.size === 0 ? (
            'Nobody is chosen.'
          ) : (
            <>
              To{' '}
              {[...chosen].map(([id, name], place) => (
                <span key={id}>
                  {place > 0 && ', '}
                  <bdi>{name}</bdi>
                </span>
              ))}
            </>
          )}
        </p>
      </DialogBody>
      <DialogFooter>
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="primary"
          disabled={chosen.size === 0}
          busy={isBusy && 'Forwarding...'}
          onClick={() => void forward()}
        >
          Forward
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
