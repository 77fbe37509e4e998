import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { signUpReturnPath } from '#contracts/official-sign-up-path.ts';
import { randomId } from '#web/shared/random-id.ts';
import { onAnswer, type DialogAnswer } from './dialog-answer.ts';
import { leftText, readDialogMessage } from './dialog-messages.ts';

/** For the server: the code, and the ids where the dialog said them. */
export type SignUpCode = {
  code: string;
  redirect_uri: string;
  business_account_id?: string;
  phone_number_id?: string;
};

type Attempt = { state: string; window: Window; ids: Pick<SignUpCode, 'business_account_id' | 'phone_number_id'> };

const lookMs = 500;
/** A window that closes by itself has told its answer just before. */
const answerComesMs = 1_500;

const blockedText = "The browser kept Meta's window shut. Allow pop-ups for this page, and try again.";

/**
 * Opens Meta's dialog in a window of its own: nothing of Meta's is loaded before, or into this page. `left` says why it ended
 * without an answer; one that comes afterwards counts still.
 */
export function useMetaDialog(dialogUrl: string, onCode: (code: SignUpCode) => void) {
  const attempt = useRef<Attempt>(undefined);
  const [state, setState] = useState<{ isOpen: boolean; left?: string }>({ isOpen: false });

  const take = useEffectEvent((answer: DialogAnswer) => {
    if (!attempt.current || answer.state !== attempt.current.state) return;
    const { ids } = attempt.current;
    attempt.current = undefined;
    setState({ isOpen: false, ...(answer.code === null && { left: leftText }) });
    if (answer.code !== null) onCode({ code: answer.code, redirect_uri: returnUrl(), ...ids });
  });
  const hear = useEffectEvent((event: MessageEvent<unknown>) => {
    const news = readDialogMessage(event, dialogUrl);
    if (!news || !attempt.current) return;
    if (news.kind === 'left') return setState({ isOpen: false, left: news.reason });
    attempt.current.ids = {
      ...(news.businessAccountId !== undefined && { business_account_id: news.businessAccountId }),
      ...(news.phoneNumberId !== undefined && { phone_number_id: news.phoneNumberId }),
    };
  });
  useEffect(() => onAnswer((answer) => take(answer)), []);
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>) => hear(event);
    window.addEventListener('message', listener);
    return () => window.removeEventListener('message', listener);
  }, []);

  const { isOpen } = state;
  useEffect(() => {
    if (!isOpen) return;
    let closedAt: number | undefined;
    const timer = setInterval(() => {
      if (attempt.current?.window.closed !== true) return;
      closedAt ??= performance.now();
      if (performance.now() - closedAt > answerComesMs) setState({ isOpen: false, left: leftText });
    }, lookMs);
    return () => clearInterval(timer);
  }, [isOpen]);

  /** Within the press of a button, as browsers want it. `staysInApp`: the number goes on in the WhatsApp Business app. */
  function open({ staysInApp }: { staysInApp: boolean }): void {
    attempt.current?.window.close();
    const id = randomId();
    const url = new URL(dialogUrl);
    url.searchParams.set('redirect_uri', returnUrl());
    url.searchParams.set('state', id);
    const featureType = staysInApp ? { featureType: 'whatsapp_business_app_onboarding' } : {};
    url.searchParams.set('extras', JSON.stringify({ setup: {}, sessionInfoVersion: '3', ...featureType }));
    const opened = window.open(url, 'dovepost-meta', 'popup,width=680,height=820');
    if (!opened) return setState({ isOpen: false, left: blockedText });
    attempt.current = { state: id, window: opened, ids: {} };
    setState({ isOpen: true });
  }

  return { ...state, open };
}

const returnUrl = () => new URL(signUpReturnPath, location.origin).href;
