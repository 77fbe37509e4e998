import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import { BadgeCheck, MessageSquareText, type LucideIcon } from 'lucide-react';
import { useId } from 'react';
import { connectorTraits } from '#contracts/connectors.ts';
import { phoneNumbersQuery } from '../queries.ts';
import type { MessageKind } from './bound-value.ts';

/** The kinds of numbers that a project has: of the official API, and others. */
export function useNumberKinds(projectId: number | undefined) {
  const { data: phones = [] } = useQuery({ ...phoneNumbersQuery(projectId ?? 0), enabled: projectId !== undefined });
  // Sandboxes step back for numbers of another kind.
  const real = phones.map(({ connector }) => connectorTraits[connector]).filter(({ isSimulated }) => !isSimulated);
  const isOfficial = real.map(({ hasTemplates }) => hasTemplates);
  return { hasOfficial: isOfficial.includes(true), hasOthers: isOfficial.includes(false) };
}

type Choice = { value: MessageKind; label: string; icon: LucideIcon };

const choices: readonly Choice[] = [
  { value: 'text', label: 'Text', icon: MessageSquareText },
  { value: 'template', label: 'WhatsApp template', icon: BadgeCheck },
];

type MessageKindChoiceProps = {
  projectId: number | undefined;
  value: MessageKind;
  onChange: (value: MessageKind) => void;
  disabled?: boolean;
};

/** A text or a template, and whom each reaches; nothing where the project has no number that sends templates. */
export function MessageKindChoice({ projectId, value, onChange, disabled = false }: MessageKindChoiceProps) {
  const name = useId();
  const kinds = useNumberKinds(projectId);
  if (!kinds.hasOfficial && value === 'text') return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-13 font-medium">Content</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ value: own, label, icon: Icon }) => (
          <label
            key={own}
            className={clsx(
              'grid cursor-pointer grid-cols-[auto_1fr] content-start gap-x-2.5 rounded-base border border-control p-3',
              'hover:bg-hover has-checked:border-accent has-checked:bg-accent-subtle',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            )}
          >
            <input
              type="radio"
              name={name}
              value={own}
              checked={own === value}
              disabled={disabled}
              onChange={() => onChange(own)}
              className="sr-only"
            />
            <Icon aria-hidden="true" className="mt-0.5 size-4 text-muted" />
            <span className="font-medium">{label}</span>
            <span className="col-start-2 text-13 text-pretty text-muted">{reach(own, kinds)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function reach(kind: MessageKind, { hasOfficial, hasOthers }: ReturnType<typeof useNumberKinds>): string {
  if (kind === 'template') {
    if (!hasOfficial) return 'This project has no number of the official API: nothing of it can go.';
    return hasOthers ? 'Reaches everybody, by the official numbers alone.' : 'Reaches everybody.';
  }
  return hasOthers
    ? 'Reaches everybody by the linked numbers; by the official ones whoever wrote in the last 24 hours.'
    : 'Reaches whoever wrote in the last 24 hours; all others are skipped.';
}
