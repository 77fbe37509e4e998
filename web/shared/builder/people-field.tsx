import { Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import { expressionWords } from '../conditions/expression-words.ts';
import { useExpressionNames } from '../conditions/use-expression-names.ts';
import { Button } from '../ui/button.tsx';

/** The builder is heavy, and few open it. */
const ExpressionDialog = lazy(async () => ({ default: (await import('./expression-dialog.tsx')).ExpressionDialog }));

type PeopleButtonProps = {
  /** Null: nothing was built. */
  value: Expression | null;
  onChange: (expression: Expression) => void;
  label: string;
};

/** Opens the builder: 'people who …' in place of a segment or of conditions. */
export function PeopleButton({ value, onChange, label }: PeopleButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={<Users aria-hidden="true" className="size-4" />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense>
          <ExpressionDialog
            value={value}
            onClose={() => setOpen(false)}
            onUse={(expression) => {
              setOpen(false);
              onChange(expression);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

type PeopleFieldProps = {
  label: string;
  value: Expression;
  onChange: (expression: Expression | null) => void;
  error?: string | undefined;
  /** Leads back to the usual way: 'Choose a segment instead'. */
  insteadLabel: string;
  disabled?: boolean;
};

/** People by an expression of their own, in words. */
export function PeopleField({ label, value, onChange, error, insteadLabel, disabled = false }: PeopleFieldProps) {
  const names = useExpressionNames(value);
  return (
    <div role="group" aria-label={label} className="grid content-start gap-1.5 text-13">
      <span className="font-medium">{label}</span>
      <span className="wrap-anywhere">People who match: {expressionWords(value, names)}.</span>
      {error !== undefined && (
        <span role="alert" className="text-red-ink">
          {error}
        </span>
      )}
      {!disabled && (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <PeopleButton value={value} onChange={onChange} label="Change who" />
          <button
            type="button"
            className="rounded-small text-accent-ink hover:underline max-sm:min-h-10"
            onClick={() => onChange(null)}
          >
            {insteadLabel}
          </button>
        </span>
      )}
    </div>
  );
}

/** The first message of errors that may lie anywhere in an expression. */
export function firstMessage(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  if ('message' in errors && typeof errors.message === 'string' && errors.message !== '') return errors.message;
  for (const [name, inner] of Object.entries(errors)) {
    const found = name === 'ref' ? undefined : firstMessage(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
