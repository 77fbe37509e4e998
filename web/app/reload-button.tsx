import { useState } from 'react';
import { isServerThere, noteSilence } from '#web/shared/reachability.ts';
import { Button } from '#web/shared/ui/button.tsx';

/** Reloads once the server is known to answer: a reload without it leaves nothing but the browser's error page. */
export function ReloadButton({ label }: { label: string }) {
  const [isAsking, setAsking] = useState(false);

  async function reload(): Promise<void> {
    setAsking(true);
    if (await isServerThere()) return location.reload();
    noteSilence();
    setAsking(false);
  }

  return (
    <Button variant="primary" busy={isAsking} onClick={() => void reload()}>
      {label}
    </Button>
  );
}
