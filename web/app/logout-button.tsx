import { LogOut } from 'lucide-react';
import { Button } from '#web/shared/ui/button.tsx';
import { logOut } from './log-out.ts';

export function LogoutButton() {
  return (
    <Button variant="ghost" size="small" icon={<LogOut aria-hidden="true" className="size-4" />} onClick={logOut}>
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  );
}
