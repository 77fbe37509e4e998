import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

export type Tab = { id: string; label: string; content: ReactNode };

type TabsProps = {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
  /** At the right of the tab bar. */
  actions?: ReactNode;
};

export function Tabs({ label, tabs, value, onChange, actions }: TabsProps) {
  return (
    <RadixTabs.Root value={value} onValueChange={onChange}>
      <div className="flex min-w-0 items-center justify-between gap-2 border-b px-1.5">
        <RadixTabs.List aria-label={label} className="scroll-signs -mb-px flex min-w-0 gap-0.5 overflow-x-auto">
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.id}
              value={tab.id}
              className="h-10 border-b-2 border-transparent px-2.5 text-13 font-medium whitespace-nowrap max-sm:px-2 text-muted hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent-ink aria-selected:text-ink"
            >
              {tab.label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {actions}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.id} value={tab.id} className="focus-visible:-outline-offset-2">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
