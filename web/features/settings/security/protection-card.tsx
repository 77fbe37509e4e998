import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import type { TwoFactor } from '#contracts/two-factor.ts';
import { twoFactorQuery } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

/** How well the sign-in is protected, and what is left to do about it. The cards below say where it failed to load. */
export function ProtectionCard() {
  const { data, isPending } = useQuery(twoFactorQuery());
  if (isPending) return <Skeleton className="h-18" />;
  if (data === undefined) return null;
  const { isSafe, title, detail } = protectionOf(data);
  const Icon = isSafe ? ShieldCheck : ShieldAlert;
  return (
    <Card>
      <div className="flex items-center gap-4">
        <span
          className={clsx(
            'grid size-10 shrink-0 place-items-center rounded-base',
            isSafe ? 'bg-green-wash text-green-ink' : 'bg-yellow-wash text-yellow-ink',
          )}
        >
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0">
          <h2 className="text-14 font-semibold">{title}</h2>
          <p className="text-pretty text-muted">{detail}</p>
        </div>
      </div>
    </Card>
  );
}

/** Codes left of ten, from which on new ones are advised. */
const fewCodes = 3;

export function protectionOf({
  totp,
  passkeys,
  recovery_codes_left: left,
  has_password: hasPassword,
  oidc,
}: TwoFactor) {
  const keys = passkeys === 1 ? 'a passkey' : passkeys > 1 ? `${passkeys} passkeys` : undefined;
  const ways = [keys, totp ? 'an authenticator app' : undefined].filter((way) => way !== undefined);
  if (ways.length === 0 && !hasPassword && oidc) {
    return {
      isSafe: true,
      title: `${oidc.label} protects your sign-in`,
      detail: 'There is no password to be guessed.',
    };
  }
  if (ways.length === 0) {
    return {
      isSafe: false,
      title: 'Your password alone opens your account',
      detail: 'Add a passkey or an authenticator app: then a stolen password opens nothing.',
    };
  }
  const sentence = `${ways.join(' and ')}.`;
  const has = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  const codes = left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
  return left < fewCodes
    ? { isSafe: false, title: 'Your recovery codes run out', detail: `${has} ${codes} Make new ones.` }
    : { isSafe: true, title: 'Your sign-in is well protected', detail: `${has} ${codes}` };
}
