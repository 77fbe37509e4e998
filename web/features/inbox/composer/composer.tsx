import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, Send, Smartphone, X, Zap } from 'lucide-react';
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { connectorTraits } from '#contracts/connectors.ts';
import type { ConversationDetail } from '#contracts/conversations.ts';
import { firstLink } from '#contracts/first-link.ts';
import type { Message } from '#contracts/messages.ts';
import { maxCaptionLength, maxTextLength } from '#contracts/message-content.ts';
import { AttachButton } from '#web/shared/attach/attach-button.tsx';
import { attachedType } from '#web/shared/attach/attached-type.ts';
import { AttachmentCard } from '#web/shared/attach/attachment-card.tsx';
import type { Attachment } from '#web/shared/attach/attachments.ts';
import type { Attach } from '#web/shared/attach/use-attach.ts';
import { messageSummary } from '#web/shared/message/message-summary.ts';
import { paths } from '#web/shared/paths.ts';
import { phoneNumbersQuery } from '#web/shared/queries.ts';
import { useSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { useNow } from '#web/shared/use-now.ts';
import { ComposedPreview } from './composed-preview.tsx';
import { useMentioning } from './use-mentioning.tsx';
import type { PendingReply } from './pending-replies.ts';
import { AskForNumber } from './ask-for-number.tsx';
import { contactProfileQuery } from '../contact/contact-profile-query.ts';
import { keepDraft, readDraft, watchDraft } from './drafts.ts';
import { EmojiPicker } from './emoji-picker.tsx';
import { InsertValue } from './insert-value.tsx';
import { PollButton } from './poll-button.tsx';
import { SendingObstacle } from './sending-obstacle.tsx';
import { Suggestions, useSuggestions } from './suggestions.tsx';
import { fillReply, slashSearch, useSavedReplies, type SavedReply } from './use-saved-replies.ts';
import { TemplateComposer } from './template-composer.tsx';
import { useShowTyping } from './use-show-typing.ts';
import { WindowLeft } from './window-left.tsx';

export type ComposerHandle = { focus: () => void; clear: () => void };

/** A reply as it was written; `text` names those whom it mentions by number. */
export type WrittenReply = Pick<PendingReply, 'text' | 'override' | 'hasPreview' | 'mentions'>;

type ComposerProps = {
  conversation: ConversationDetail;
  /** The message that the next one answers, and its sender. */
  answered: { message: Message; name: string } | undefined;
  onForgetAnswered: () => void;
  attach: Attach;
  /** Answers whether it is on its way: else what is written stays. */
  onSend: (reply: WrittenReply) => boolean;
  /** Called as the text changes. */
  onWrite: (text: string) => void;
  /** Chooses between a reply and a note. */
  top: ReactNode;
  /** Something that shows only once it is accepted. */
  onSent: (message: Message) => void;
  ref?: Ref<ComposerHandle>;
};

const mostRows = 8;
const noReplies: readonly SavedReply[] = [];

export function Composer(props: ComposerProps) {
  const { conversation, answered, onForgetAnswered, attach, onSend, onWrite, onSent, top, ref } = props;
  const { id, profile_id: profileId, phone, sending, opted_out: isOptedOut } = conversation;
  const userId = useSession().identity?.id ?? 0;
  const [text, setText] = useState(() => readDraft(userId, id));
  const [overrides, setOverrides] = useState(false);
  const [isDismissed, setDismissed] = useState(false);
  /** Placeholders of a saved reply that the contact has nothing for. */
  const [missing, setMissing] = useState<readonly string[]>([]);
  /** The link that goes without its preview. */
  const [leftOut, setLeftOut] = useState<string>();
  const control = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => control.current?.focus(), clear: () => write('') }));
  useEffect(() => keepDraft(userId, id, text), [userId, id, text]);
  // A text that was sent in another tab must not stand here as one that is still to be sent.
  const follow = useEffectEvent((kept: string) => {
    setText(kept);
    onWrite(kept);
  });
  useEffect(() => watchDraft(userId, id, (kept) => follow(kept)), [userId, id]);
  const { onText } = useShowTyping(conversation);
  const { hasTemplates, asksQuestions, isShut, now } = useWindow(conversation);
  const [wantsTemplate, setWantsTemplate] = useState(false);
  const canSend = sending.can_send && (!isOptedOut || overrides);
  const obstacle = obstacleOf(text, attach.attachment);
  const isReady = canSend && obstacle === undefined && (text.trim() !== '' || attach.attachment !== undefined);

  const slash = isDismissed ? undefined : slashSearch(text);
  const { replies, error: repliesError } = useSavedReplies(slash);
  const suggested = slash === undefined ? undefined : (replies ?? noReplies);
  const { data: profile } = useQuery({
    ...contactProfileQuery(profileId),
    enabled: profileId !== null && slash !== undefined,
  });
  const list = useSuggestions({ items: suggested, onChoose: insertReply, onDismiss: () => setDismissed(true) });

  const mentioning = useMentioning({ text, control, isOn: !hasTemplates && slash === undefined, onWrite: write });

  function insertReply({ message }: SavedReply): void {
    const filled = fillReply(message, profile);
    write(filled.text);
    setMissing(filled.missing);
    control.current?.focus();
  }

  function write(next: string): void {
    setText(next);
    setMissing([]);
    if (!next.startsWith('/')) setDismissed(false);
    onText(next);
    onWrite(next);
  }

  function send(): void {
    if (!isReady) return;
    const hasPreview = leftOut === undefined || leftOut !== firstLink(text);
    if (!onSend({ ...mentioning.written(), override: isOptedOut && overrides, hasPreview })) return;
    write('');
    mentioning.forget();
    setOverrides(false);
  }

  function insert(piece: string): void {
    const area = control.current;
    if (area === null) return;
    area.setRangeText(piece, area.selectionStart, area.selectionEnd, 'end');
    write(area.value);
    area.focus();
  }

  function handleKey(event: KeyboardEvent): void {
    if (list.handleKey(event) || mentioning.handleKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }

  if (isShut || wantsTemplate) {
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t bg-page px-4 pt-2.5 pb-4">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          {top}
          <div className="min-w-0 flex-1 basis-40">
            <SentFrom conversation={conversation} now={now} />
          </div>
        </div>
        {isShut && text.trim() !== '' && (
          <p className="text-12 text-muted">Your text is kept until you can write freely again.</p>
        )}
        <TemplateComposer
          conversation={conversation}
          isShut={isShut}
          onClose={isShut ? undefined : () => setWantsTemplate(false)}
          onSent={onSent}
        />
      </div>
    );
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t bg-page px-4 pt-2.5 pb-4">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        {top}
        <div className="min-w-0 flex-1 basis-40">
          <SentFrom conversation={conversation} now={now} />
        </div>
      </div>
      {phone === null && asksQuestions && <AskForNumber conversationId={id} disabled={!canSend} onSent={onSent} />}
      <SendingObstacle conversation={conversation} overrides={overrides} onOverride={setOverrides} />
      <div className="relative rounded-base border border-control bg-surface shadow-control focus-within:border-focus focus-within:outline-3 focus-within:outline-focus/25">
        {suggested !== undefined && (
          <Suggestions
            list={list}
            label="Saved replies"
            items={suggested}
            onChoose={insertReply}
            keyOf={({ id: replyId }) => replyId}
            render={({ name, message }) => (
              <span className="grid min-w-0">
                <bdi className="truncate font-medium">{name}</bdi>
                <span dir="auto" className="truncate text-12 text-muted">
                  {fillReply(message, profile).text}
                </span>
              </span>
            )}
            empty={
              repliesError !== null
                ? 'Failed to fetch saved replies'
                : replies === undefined
                  ? 'Searching...'
                  : 'No saved reply matches'
            }
            head={
              <p className="flex items-center gap-3 px-2 py-1 text-12 text-muted">
                <b className="flex-1 font-medium text-ink">Saved replies</b>
                <Link to={paths.templates} className="text-accent-ink hover:underline">
                  Manage
                </Link>
              </p>
            }
          />
        )}
        {answered !== undefined && (
          <div className="m-1.5 flex items-center gap-2 rounded-small border-l-3 border-accent bg-sunken py-1 pr-1 pl-2.5">
            <div className="min-w-0 flex-1 text-12">
              <p className="font-medium text-accent-ink">
                Replying to <bdi>{answered.name}</bdi>
              </p>
              <p className="truncate text-muted">{messageSummary(answered.message)}</p>
            </div>
            <IconButton
              label="Do not quote"
              size="small"
              icon={<X className="size-3.5" />}
              onClick={onForgetAnswered}
            />
          </div>
        )}
        {attach.attachment !== undefined && (
          <div className="m-1.5">
            <AttachmentCard attach={attach} />
          </div>
        )}
        {attach.attachment === undefined && leftOut !== firstLink(text) && (
          <ComposedPreview text={text} onLeaveOut={setLeftOut} />
        )}
        {mentioning.suggestions}
        <textarea
          ref={control}
          aria-label="Message"
          placeholder={attach.attachment === undefined ? 'Write a message, or / for a saved reply' : 'Add a caption'}
          // Where the browser does not fit it to its text, as high as its lines.
          rows={Math.min(mostRows, text.split('\n').length)}
          dir="auto"
          value={text}
          {...(mentioning.isOpen ? mentioning.control : list.control)}
          aria-invalid={obstacle?.isFault || undefined}
          onChange={({ target }) => {
            mentioning.onCaret(target.selectionStart);
            write(target.value);
          }}
          onSelect={({ currentTarget }) => mentioning.onCaret(currentTarget.selectionStart)}
          onKeyDown={handleKey}
          onPaste={attach.handlePaste}
          className="block field-sizing-content max-h-50 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 outline-none"
        />
        <div className="flex flex-wrap items-center gap-0.5 px-1.5 pb-1.5">
          <AttachButton attach={attach} />
          <EmojiPicker disabled={false} onPick={insert} onClosed={() => control.current?.focus()} />
          {asksQuestions && <PollButton conversationId={id} disabled={!canSend} onSent={onSent} />}
          <IconButton
            label="Saved replies"
            icon={<Zap className="size-4" />}
            disabled={text !== '' && slash === undefined}
            onClick={() => {
              setDismissed(false);
              write('/');
              control.current?.focus();
            }}
          />
          <InsertValue profileId={profileId} disabled={false} onInsert={insert} />
          {hasTemplates && (
            <IconButton
              label="Send a template"
              icon={<BadgeCheck className="size-4" />}
              onClick={() => setWantsTemplate(true)}
            />
          )}
          <span className="min-w-0 flex-1 text-right text-12 text-muted sm:truncate sm:px-2">
            {obstacle === undefined ? (
              missing.length === 0 ? (
                <span className="max-sm:hidden">Enter sends, Shift Enter breaks the line</span>
              ) : (
                <span role="status">Nothing is known for {missing.join(', ')}</span>
              )
            ) : (
              <span role="status" className={obstacle.isFault ? 'text-red-ink' : undefined}>
                {obstacle.text}
              </span>
            )}
          </span>
          <Button
            size="small"
            variant="primary"
            icon={<Send className="size-4" />}
            disabled={!isReady}
            onClick={send}
            className="ml-auto"
          >
            Send
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Why what is written cannot leave as it is. */
function obstacleOf(text: string, attachment: Attachment | undefined): { text: string; isFault: boolean } | undefined {
  const maxLength = attachment === undefined ? maxTextLength : maxCaptionLength;
  if (text.length > maxLength) {
    return { text: `${text.length.toLocaleString('en')} / ${maxLength.toLocaleString('en')}`, isFault: true };
  }
  if (attachment?.state === 'uploading') return { text: 'The file is still being uploaded', isFault: false };
  if (attachment?.state === 'failed') return { text: 'Remove the file to send the text', isFault: true };
  if (attachment !== undefined && attachedType(attachment.media) === 'audio' && text.trim() !== '') {
    return { text: 'A sound has no caption: send the text by itself', isFault: true };
  }
  return undefined;
}

/**
 * The 24 hours of the official API: whether they are over, and whether a number of the project can send templates, or
 * polls and requests for a number. The page sees the end of an open window by itself.
 */
function useWindow({
  project_id: projectId,
  phone_id: phoneId,
  sending,
  window_expires_at: window,
}: ConversationDetail): { hasTemplates: boolean; asksQuestions: boolean; isShut: boolean; now: number } {
  const now = useNow(15_000);
  const { data: phones = [] } = useQuery(phoneNumbersQuery(projectId));
  const own = phones.find(({ id }) => id === phoneId);
  const isOver = window !== null && now >= Date.parse(window) && sending.can_send;
  return {
    hasTemplates: own !== undefined && connectorTraits[own.connector].hasTemplates,
    asksQuestions: own === undefined || connectorTraits[own.connector].changesSent,
    isShut: sending.reason === 'window_closed' || isOver,
    now,
  };
}

/** Which of the project's phones a reply goes through, and how long it may carry anything. */
function SentFrom({
  conversation: { project_id: projectId, phone_id: phoneId, window_expires_at: window },
  now,
}: {
  conversation: ConversationDetail;
  now: number;
}) {
  const { data: phones } = useQuery(phoneNumbersQuery(projectId));
  const phone = phones?.find(({ id }) => id === phoneId);
  if (phone === undefined) return null;
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-12 text-muted">
      <Smartphone aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="truncate">
        From {phone.name !== null && <bdi className="font-medium text-ink">{phone.name}</bdi>}{' '}
        {phone.phone_number !== null && <PhoneText digits={phone.phone_number} />}
      </span>
      {window !== null && <WindowLeft at={window} now={now} />}
    </p>
  );
}
