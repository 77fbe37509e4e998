import { useState } from 'react';
import type { Expression } from '#contracts/expressions.ts';
import { GivenExpression } from '#contracts/given-expression.ts';
import { useExpressionNames } from '../conditions/use-expression-names.ts';
import { DiscardQuestion } from '../form/leave-question.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../ui/dialog.tsx';
import { BuilderContext } from './builder-context.ts';
import { draftOf, expressionOfDraft, replaced } from './draft.ts';
import { ExpressionGroup } from './expression-builder.tsx';
import { ExpressionPreview, useExpressionPreview } from './expression-preview.tsx';

const beginning: Expression = { all: [{ field: '', op: 'equals', value: '' }] };

type ExpressionDialogProps = {
  value: Expression | null;
  onClose: () => void;
  onUse: (expression: Expression) => void;
};

/** Builds who somebody writes to, for the form beneath, which keeps and saves it. */
export function ExpressionDialog({ value, onClose, onUse }: ExpressionDialogProps) {
  const [opened] = useState(() => draftOf(value ?? beginning));
  const [draft, setDraft] = useState(opened);
  const [isAsking, setAsking] = useState(false);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const expression = expressionOfDraft(draft);
  const found = useExpressionPreview(expression);
  const names = useExpressionNames(expression);
  const lines = found.preview?.lines;
  const builder = {
    change: (id: number, by: Parameters<typeof replaced>[2]) => {
      setErrors(new Map());
      setDraft(replaced(draft, id, by));
    },
    countAt: (path: string) => lines?.find((line) => line.path === path),
    errorAt: (path: string) => errors.get(path),
  };

  function use(): void {
    const read = GivenExpression.safeParse(expression);
    if (read.success) return onUse(read.data);
    setErrors(
      new Map(read.error.issues.map(({ path, message }) => [['expression', ...path].map(String).join('.'), message])),
    );
  }

  /** The form beneath keeps no draft of it. */
  function close(): void {
    if (JSON.stringify(expression) === JSON.stringify(expressionOfDraft(opened))) onClose();
    else setAsking(true);
  }

  return (
    <Dialog isOpen onClose={close} size="large" title="People who…">
      <DialogBody>
        <BuilderContext value={builder}>
          <ExpressionGroup group={draft} path="expression" />
        </BuilderContext>
        <ExpressionPreview expression={expression} found={found} names={names} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={close}>Cancel</Button>
        <Button variant="primary" onClick={use}>
          Use these people
        </Button>
      </DialogFooter>
      <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={onClose} />
    </Dialog>
  );
}
