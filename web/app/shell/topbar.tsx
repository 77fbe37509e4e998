import { Menu as MenuIcon } from 'lucide-react';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { ThemeSwitch } from '#web/shared/ui/theme-switch.tsx';
import { LogoutButton } from '../logout-button.tsx';
import { PaletteButton } from '../palette/palette-button.tsx';
import { Bell } from './bell.tsx';
import { Crumbs } from './crumbs.tsx';

export function Topbar({ onOpenMenu }: { onOpenMenu: () => void }) {
  return (
    <header className="sticky top-(--banner-shown) z-20 flex h-(--header) items-center gap-2 border-b bg-page pr-3 pl-4 sm:px-8">
      <IconButton
        label="Open menu"
        aria-haspopup="dialog"
        icon={<MenuIcon className="size-4" />}
        onClick={onOpenMenu}
        className="-ml-2 min-[900px]:hidden"
      />
      <Crumbs />
      <PaletteButton />
      <Bell />
      <ThemeSwitch />
      <LogoutButton />
    </header>
  );
}
