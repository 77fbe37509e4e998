import { createContext, lazy, Suspense, use, useState, type ReactNode } from 'react';
import type { Message } from '#contracts/messages.ts';
import { isViewable } from './media-message.ts';

const MediaViewer = lazy(async () => ({ default: (await import('./media-viewer.tsx')).MediaViewer }));

const ViewContext = createContext<((messageId: number) => void) | undefined>(undefined);

/** Opens the viewer at a message; undefined where there is none around. */
export const useView = () => use(ViewContext);

type MediaViewingProps = {
  /** The pictures and films that the viewer goes through, newest first. */
  messages: readonly Message[];
  /** The name of the other side. */
  nameOf: (message: Message) => string;
  children: ReactNode;
};

/** Pictures and films in `children` open in a viewer. */
export function MediaViewing({ messages, nameOf, children }: MediaViewingProps) {
  const [openId, setOpenId] = useState<number>();
  const shown = openId === undefined ? [] : messages.filter(isViewable).toReversed();
  const at = shown.findIndex(({ id }) => id === openId);
  return (
    <ViewContext value={setOpenId}>
      {children}
      {at >= 0 && (
        <Suspense fallback={null}>
          <MediaViewer
            messages={shown}
            at={at}
            nameOf={nameOf}
            onShow={setOpenId}
            onClose={() => setOpenId(undefined)}
          />
        </Suspense>
      )}
    </ViewContext>
  );
}
