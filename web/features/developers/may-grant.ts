import { scopesOverAllContacts, type KeyScope } from '#contracts/permissions.ts';
import { useCan, useIsNarrowed } from '#web/shared/session.ts';

/** Whether a key that the member makes may have a scope: no key opens more than its maker may do. */
export function useMayGrant(): (scope: KeyScope) => boolean {
  const can = useCan();
  const isNarrowed = useIsNarrowed();
  return (scope) => can(scope) && !(isNarrowed && scopesOverAllContacts.includes(scope));
}
