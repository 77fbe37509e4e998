import { LogOut } from 'lucide-react';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { forgetReturnPath } from '#web/shared/return-path.ts';
import { clearSession } from '#web/shared/session.ts';
import { Button } from '#web/shared/ui/button.tsx';

/** Leaving never waits for the server: the token is gone from this browser at once, and revoked when the call arrives. */
function logOut(): void {
  callApi('POST /api/auth/logout').catch((error: unknown) => logFailure('The session was not revoked.', error));
  forgetReturnPath();
  clearSession();
}

export function LogoutButton() {
  return (
    <Button variant="ghost" size="small" icon={<LogOut aria-hidden="true" className="size-4" />} onClick={logOut}>
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  );
}
