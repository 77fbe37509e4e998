import { useMutation, useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { callApi } from '#web/shared/api.ts';
import { goToProvider } from '#web/shared/oidc.ts';
import { signInOptionsQuery } from '#web/shared/sign-in-options.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { signInFailure } from './sign-in-with.ts';

/** Leads to the identity provider, where the operator has set one up. */
export function OidcButton({ invitation }: { invitation?: string }) {
  const options = useQuery(signInOptionsQuery());
  const begin = useMutation({
    mutationFn: () => callApi('POST /api/auth/login/oidc'),
    onSuccess: ({ url }) => goToProvider(url, { purpose: 'sign_in', ...(invitation !== undefined && { invitation }) }),
    onError: (error) => notify.error(signInFailure(error, 'Login failed')),
  });
  const provider = options.data?.oidc;
  if (!provider) return null;
  return (
    <Button
      size="large"
      icon={<LogIn aria-hidden="true" className="size-4" />}
      busy={(begin.isPending || begin.isSuccess) && `Opening ${provider.label}...`}
      onClick={() => begin.mutate()}
    >
      <span>
        Continue with <bdi>{provider.label}</bdi>
      </span>
    </Button>
  );
}
