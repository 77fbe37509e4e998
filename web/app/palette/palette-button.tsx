import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { logFailure } from '#web/shared/log-failure.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';

type PaletteType = ComponentType<{ onClose: () => void }>;

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const loadPalette = () => import('./palette.tsx');

/** Opens the palette, which loads with its first use or with the intent to use it; so does Ctrl or ⌘ K on any page. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  const [Palette, setPalette] = useState<PaletteType>();

  async function open(): Promise<void> {
    setOpen(true);
    try {
      const loaded = await loadPalette();
      setPalette(() => loaded.Palette);
    } catch (error) {
      setOpen(false);
      logFailure('The command palette did not load.', error);
      notify.error('The command palette could not be loaded. Reload the page and try again.');
    }
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    // An open dialog would be left behind.
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') === null) void open();
  });
  useEffect(() => {
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);

  const preload = () => void loadPalette().catch(() => undefined);
  return (
    <>
      <Button
        size="small"
        icon={<Search aria-hidden="true" className="size-4" />}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => void open()}
        className="text-muted max-sm:w-(--control-small) max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 max-sm:shadow-none max-sm:hover:bg-hover"
      >
        <span className="max-sm:sr-only">Search</span>
        <kbd className="font-sans text-12 text-faint max-sm:hidden">{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
        {/* After what is written on it, by which people who speak to their device call it. */}
        <span className="sr-only">: open the command palette</span>
      </Button>
      {isOpen && Palette !== undefined && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}
