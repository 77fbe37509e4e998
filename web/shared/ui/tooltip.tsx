import { Tooltip as RadixTooltip } from 'radix-ui';
import type { ReactElement } from 'react';

/** Words that appear on hover and on keyboard focus of the one child. They add to its name, they do not replace it. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <RadixTooltip.Provider delayDuration={300}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-70 max-w-80 animate-fade-in rounded-base bg-raised px-2.5 py-2 text-12 text-ink shadow-popover"
          >
            {text}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
