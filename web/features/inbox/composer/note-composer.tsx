import { useQueryClient } from '@tanstack/react-query';
import { AtSign, Lock, StickyNote } from 'lucide-react';
import { useEffect, useImperativeHandle, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import type { Assignee, ConversationDetail } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { hasPart } from '#web/shared/fold-text.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useTryKey } from '#web/shared/use-try-key.ts';
import { useAssignees } from '../assignees.ts';
import type { ComposerHandle } from './composer.tsx';
import { keepDraft, readDraft, watchDraft } from './drafts.ts';
import { mentionBefore } from './mention-before.ts';
import { Suggestions, useSuggestions } from './suggestions.tsx';

const longest = 4_000;
const mostRows = 8;
const mostSuggested = 8;

type NoteComposerProps = {
  conversation: ConversationDetail;
  onWrite: (text: string) => void;
  onAdded: () => void;
  /** Chooses between a reply and a note. */
  top: ReactNode;
  ref?: Ref<ComposerHandle>;
};

/** Writes a note for the members; `@` names one of them, who is told. */
export function NoteComposer({ conversation, onWrite, onAdded, top, ref }: NoteComposerProps) {
  const { id: conversationId, project_id: projectId } = conversation;
  const queryClient = useQueryClient();
  const userId = useSession().identity?.id ?? 0;
  // Beside the draft of the reply, which has the id itself.
  const draftId = -conversationId;
  const [text, setText] = useState(() => readDraft(userId, draftId));
  const [caret, setCaret] = useState(0);
  const [dismissedAt, setDismissedAt] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const { keyOf, forget } = useTryKey();
  const control = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => control.current?.focus(), clear: () => write('') }));
  useEffect(() => keepDraft(userId, draftId, text), [userId, draftId, text]);
  useEffect(() => watchDraft(userId, draftId, setText), [userId, draftId]);

  const people = useAssignees(projectId).filter(({ id }) => id !== userId);
  const typed = mentionBefore(text, caret);
  // A name that stands there whole leaves Enter to the note.
  const isWhole = people.some(({ name }) => typed?.search === `${name} `);
  const isSuggesting = typed !== undefined && typed.start !== dismissedAt && people.length > 0 && !isWhole;
  const found = isSuggesting ? people.filter(({ name }) => hasPart(name, typed.search)).slice(0, mostSuggested) : [];
  const items = found.length > 0 ? found : undefined;
  const list = useSuggestions({ items, onChoose: choose, onDismiss: () => setDismissedAt(typed?.start) });

  function write(next: string): void {
    setText(next);
    onWrite(next);
  }

  function choose({ name }: Assignee): void {
    const area = control.current;
    if (area === null || typed === undefined) return;
    area.setRangeText(`@${name} `, typed.start, caret, 'end');
    setCaret(area.selectionStart);
    write(area.value);
    area.focus();
  }

  function mention(): void {
    const area = control.current;
    if (area === null) return;
    area.focus();
    const before = area.value.slice(0, area.selectionStart);
    area.setRangeText(before === '' || /\s$/.test(before) ? '@' : ' @', area.selectionStart, area.selectionEnd, 'end');
    setCaret(area.selectionStart);
    setDismissedAt(undefined);
    write(area.value);
  }

  /** Of a note that was added: more may have been typed, and the conversation been left, while it was on its way. */
  function clear(added: string): void {
    if (readDraft(userId, draftId) === added) keepDraft(userId, draftId, '');
    const now = control.current?.value ?? '';
    write(now.startsWith(added) ? now.slice(added.length).trimStart() : now);
  }

  async function add(): Promise<void> {
    if (text.trim() === '' || text.length > longest || isBusy) return;
    setBusy(true);
    try {
      const body = { text };
      const call = { params: { conversationId }, body };
      await callApi('POST /api/conversations/{conversationId}/notes', call, { idempotencyKey: keyOf(body) });
      forget();
      clear(text);
      await queryClient.invalidateQueries({ queryKey: [...queryKeys.conversations, conversationId, 'notes'] });
      onAdded();
    } catch (error) {
      notify.error(errorText(error, 'The note was not added'));
    } finally {
      setBusy(false);
    }
  }

  function handleKey(event: KeyboardEvent): void {
    if (list.handleKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void add();
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t bg-page px-4 pt-2.5 pb-4">
      <div className="flex items-center gap-3">
        {top}
        <p className="flex min-w-0 items-center gap-1.5 text-12 text-muted">
          <Lock aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="truncate">Only your team sees notes</span>
        </p>
      </div>
      <div className="relative rounded-base border border-yellow-dot/60 bg-yellow-wash shadow-control focus-within:border-focus focus-within:outline-3 focus-within:outline-focus/25">
        {items !== undefined && (
          <Suggestions
            list={list}
            label="People"
            items={items}
            onChoose={choose}
            keyOf={({ id }) => id}
            render={({ name }) => <bdi className="truncate">{name}</bdi>}
            empty=""
          />
        )}
        <textarea
          ref={control}
          aria-label="Note"
          placeholder="Write a note, or @ to tell somebody"
          rows={Math.min(mostRows, text.split('\n').length)}
          dir="auto"
          value={text}
          {...list.control}
          aria-invalid={text.length > longest || undefined}
          onChange={({ target }) => {
            setCaret(target.selectionStart);
            write(target.value);
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={handleKey}
          className="block field-sizing-content max-h-50 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none"
        />
        <div className="flex items-center gap-0.5 px-1.5 pb-1.5">
          <IconButton label="Mention somebody" icon={<AtSign className="size-4" />} onClick={mention} />
          <span className="min-w-0 flex-1 px-2 text-right text-12 text-muted">
            {text.length > longest && (
              <span role="status" className="text-red-ink">
                {text.length.toLocaleString('en')} / {longest.toLocaleString('en')}
              </span>
            )}
          </span>
          <Button
            size="small"
            icon={<StickyNote className="size-4" />}
            disabled={text.trim() === '' || text.length > longest}
            busy={isBusy && 'Adding...'}
            onClick={() => void add()}
          >
            Add note
          </Button>
        </div>
      </div>
    </div>
  );
}
