import { useEffect } from 'react';
import { Brand } from '#web/shared/ui/brand.tsx';
import { announceAnswer } from './dialog-answer.ts';

/** Meta's dialog ends here: the window that opened it is told, and goes on. */
export function SignUpReturnPage() {
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const [state, code] = [query.get('state'), query.get('code')];
    announceAnswer({ state, code, isDeclined: code === null });
    // A permission that counts once is nothing for the history of the browser.
    history.replaceState(null, '', location.pathname);
    window.close();
  }, []);
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <Brand />
      <h1 className="text-20">Meta has answered</h1>
      <p className="max-w-90 text-pretty text-muted">
        The page where you began goes on by itself. You can close this window.
      </p>
    </main>
  );
}
