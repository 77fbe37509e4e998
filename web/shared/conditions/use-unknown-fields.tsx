import { Fragment, useState, type ReactNode } from 'react';
import { unknownFieldMessage } from '#contracts/field-path.ts';
import { ApiError } from '../api-error.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** An addition to the body once unknown fields are meant. */
export type UnknownAllowed = { allow_unknown?: true };

type Question = { paths: readonly string[]; answer: (isMeant: boolean) => void };

type UnknownFields = {
  /** Saves; where only fields that no profile has are in the way, asks, and saves again when they are meant. */
  save: (attempt: (allowed: UnknownAllowed) => Promise<unknown>) => Promise<void>;
  /** To be rendered in the form. */
  question: ReactNode;
};

/** Lets conditions name fields that no profile has yet, once somebody has confirmed that they are no slip. */
export function useUnknownFields(): UnknownFields {
  const [question, setQuestion] = useState<Question>();

  async function save(attempt: (allowed: UnknownAllowed) => Promise<unknown>): Promise<void> {
    try {
      await attempt({});
    } catch (error) {
      const paths = unknownPathsOf(error);
      if (paths.length === 0) throw error;
      const isMeant = await new Promise<boolean>((answer) => setQuestion({ paths, answer }));
      setQuestion(undefined);
      if (!isMeant) throw error;
      await attempt({ allow_unknown: true });
    }
  }

  return { save, question: question && <UnknownFieldsDialog {...question} /> };
}

/** None unless they are all that the server complains of. */
function unknownPathsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [];
  const prefix = unknownFieldMessage('');
  if (!error.fieldErrors.every(({ message }) => message.startsWith(prefix))) return [];
  return [...new Set(error.fieldErrors.map(({ message }) => message.slice(prefix.length)))];
}

function UnknownFieldsDialog({ paths, answer }: Question) {
  const isOne = paths.length === 1;
  return (
    <ConfirmDialog
      isOpen
      onClose={() => answer(false)}
      title={isOne ? 'No profile has this field yet' : 'No profile has these fields yet'}
      confirmLabel="Save anyway"
      cancelLabel="Keep editing"
      danger={false}
      onConfirm={() => answer(true)}
    >
      {paths.map((path, index) => (
        <Fragment key={path}>
          {index > 0 && ', '}
          <code className="wrap-anywhere text-ink">{path}</code>
        </Fragment>
      ))}
      : check the spelling. If {isOne ? 'it is' : 'they are'} meant, save anyway; profiles are compared as soon as they
      have {isOne ? 'it' : 'them'}.
    </ConfirmDialog>
  );
}
