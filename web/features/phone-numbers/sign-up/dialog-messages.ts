/** The news that Meta's dialog has for the page that opened it. */
export type DialogNews =
  | { kind: 'shared'; businessAccountId: string | undefined; phoneNumberId: string | undefined }
  | { kind: 'left'; reason: string };

const screens: Readonly<Record<string, string>> = {
  BUSINESS_ACCOUNT_SELECTION: 'as it asked for the business portfolio',
  WABA_PHONE_PROFILE_PICKER: 'as it asked for the WhatsApp Business Account',
  WHATSAPP_BUSINESS_PROFILE_SETUP: 'as it asked for the profile of the business',
  PHONE_NUMBER_SETUP: 'as it asked for the phone number',
  PHONE_NUMBER_VERIFICATION: 'as it asked for the code that the number gets',
  PERMISSIONS: 'as it asked for permissions',
};

export const leftText = 'You left Meta before it was finished, so nothing was connected.';

/** Anybody may post to a page: only the dialog's own site counts. */
function isOfDialog(origin: string, dialogUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [from, dialog] = [new URL(origin), new URL(dialogUrl)];
  if (from.origin === dialog.origin) return true;
  const site = dialog.hostname.split('.').slice(-2).join('.');
  return (
    dialog.hostname === `www.${site}` &&
    from.protocol === 'https:' &&
    (from.hostname === site || from.hostname.endsWith(`.${site}`))
  );
}

const digits = (value: unknown) => (typeof value === 'string' && /^\d{5,25}$/.test(value) ? value : undefined);

/**
 * Reads what is posted to the page; undefined for all that is not the dialog's.
 * Source: developers.facebook.com/docs/whatsapp/embedded-signup/implementation, session logging.
 */
export function readDialogMessage(
  { origin, data: posted }: Pick<MessageEvent<unknown>, 'origin' | 'data'>,
  dialogUrl: string,
): DialogNews | undefined {
  if (!isOfDialog(origin, dialogUrl)) return undefined;
  const message = objectOf(posted);
  if (message['type'] !== 'WA_EMBEDDED_SIGNUP') return undefined;
  const data = objectOf(message['data']);
  const event = String(message['event']);
  if (event.startsWith('FINISH'))
    return {
      kind: 'shared',
      businessAccountId: digits(data['waba_id']),
      phoneNumberId: digits(data['phone_number_id']),
    };
  if (event !== 'CANCEL' && event !== 'ERROR') return undefined;
  const { error_message: words, current_step: step } = data;
  if (typeof words === 'string' && words !== '') return { kind: 'left', reason: `Meta says: ${words.slice(0, 300)}` };
  const screen = typeof step === 'string' ? screens[step] : undefined;
  return { kind: 'left', reason: screen ? `You left Meta ${screen}, so nothing was connected.` : leftText };
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? { ...value } : {};
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
