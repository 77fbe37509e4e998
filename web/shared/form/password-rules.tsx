import { clsx } from 'clsx';
import { Check, Circle } from 'lucide-react';

const minLength = 8;
const maxLength = 128;

/** Which rules a password keeps, as it is typed. */
export function PasswordRules({ password }: { password: string }) {
  const isTooLong = password.length > maxLength;
  return (
    <span className="grid gap-1">
      <Rule isKept={password.length >= minLength} text={`At least ${minLength} characters`} />
      {isTooLong && <Rule isKept={false} text={`At most ${maxLength} characters`} />}
    </span>
  );
}

function Rule({ isKept, text }: { isKept: boolean; text: string }) {
  const Icon = isKept ? Check : Circle;
  return (
    <span className={clsx('flex items-center gap-1.5', isKept && 'text-green-ink')}>
      <Icon aria-hidden="true" className="size-3.5" />
      {text}
      {isKept && <span className="sr-only">, done</span>}
    </span>
  );
}
