import { lazy, Suspense, useState } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import { GivenExpression } from '#contracts/given-expression.ts';
import { expressionWords } from '#web/shared/conditions/expression-words.ts';
import { useExpressionNames } from '#web/shared/conditions/use-expression-names.ts';
import { FilterChip } from '#web/shared/table/filter-chip.tsx';

/** The builder is heavy, and few open it. */
const ExpressionDialog = lazy(async () => ({
  default: (await import('#web/shared/builder/expression-dialog.tsx')).ExpressionDialog,
}));

type PeopleFilterProps = {
  /** The JSON of an expression, as the address has it. */
  value: string | undefined;
  onChange: (json: string | undefined) => void;
};

/** Narrows the page to people who match conditions that are built here: the list, its export and actions on all of it go by them. */
export function PeopleFilter({ value, onChange }: PeopleFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const expression = value === undefined ? undefined : expressionIn(value);
  const chip = { label: 'Conditions', onClear: () => onChange(undefined), onOpen: () => setOpen(true) };
  return (
    <>
      {expression ? (
        <ChipOfExpression expression={expression} chip={chip} />
      ) : (
        <FilterChip {...chip} verb="are" value={value === undefined ? undefined : 'not valid'} />
      )}
      {isOpen && (
        <Suspense>
          <ExpressionDialog
            value={expression ?? null}
            onClose={() => setOpen(false)}
            onUse={(used) => {
              setOpen(false);
              onChange(JSON.stringify(used));
            }}
          />
        </Suspense>
      )}
    </>
  );
}

type ChipOfExpressionProps = {
  expression: Expression;
  chip: { label: string; onClear: () => void; onOpen: () => void };
};

function ChipOfExpression({ expression, chip }: ChipOfExpressionProps) {
  const names = useExpressionNames(expression);
  return <FilterChip {...chip} verb="are" value={expressionWords(expression, names)} />;
}

const expressionIn = (json: string): Expression | undefined => GivenExpression.safeParse(JSON.parse(json)).data;
