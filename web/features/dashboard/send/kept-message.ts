const prefix = 'dovepost.message.';

type KeptMessage = { to: string; message: string };

/** The message that was typed and not sent, in this tab: a reload and another page leave it there. */
export function readMessage(userId: number): KeptMessage {
  try {
    const kept = JSON.parse(sessionStorage.getItem(prefix + userId) ?? '{}') as Partial<Record<string, unknown>>;
    const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
    return { to: textOf(kept['to']), message: textOf(kept['message']) };
  } catch {
    return { to: '', message: '' };
  }
}

export function keepMessage(userId: number, { to, message }: KeptMessage): void {
  if (to === '' && message === '') return forgetMessage(userId);
  try {
    sessionStorage.setItem(prefix + userId, JSON.stringify({ to, message }));
  } catch {
    // A browser without room keeps none.
  }
}

/** Also where the user signs out. */
export function forgetMessage(userId: number): void {
  sessionStorage.removeItem(prefix + userId);
}
