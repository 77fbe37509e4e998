import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import { CopyButton, type CopyTexts } from './copy-button.tsx';
import { IconButton } from './icon-button.tsx';

type CopyFieldProps = {
  label: string;
  /** Null: the role of who looks is not shown it. */
  value: string | null;
  texts: CopyTexts;
  /** The copy button's name; 'Copy' and the label unless given. */
  copyLabel?: string;
  /** Covered by dots until asked for. */
  secret?: boolean;
  hint?: string;
  /** The card's title says it already. */
  hideLabel?: boolean;
};

/** A read-only value with a copy button. */
export function CopyField(props: CopyFieldProps) {
  const { label, value, texts, copyLabel = `Copy ${label}`, secret = false, hint, hideLabel = false } = props;
  const id = useId();
  const [isShown, setShown] = useState(!secret);
  if (value === null) return <HiddenValue label={label} hideLabel={hideLabel} />;
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-13 font-medium'}>
        {label}
      </label>
      <div className="flex h-10 min-w-0 items-center gap-0.5 rounded-base border bg-sunken pr-1 pl-3">
        <input
          id={id}
          readOnly
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          value={value}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onFocus={(event) => event.target.select()}
          className="min-w-0 flex-1 truncate bg-transparent font-mono text-13 tracking-tight"
        />
        {secret && (
          <IconButton
            label={isShown ? `Hide ${label}` : `Show ${label}`}
            icon={isShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
            onClick={() => setShown(!isShown)}
          />
        )}
        <CopyButton iconOnly value={value} label={copyLabel} texts={texts} />
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-13 text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

function HiddenValue({ label, hideLabel }: { label: string; hideLabel: boolean }) {
  return (
    <div className="grid min-w-0 gap-1.5">
      {!hideLabel && <p className="text-13 font-medium">{label}</p>}
      <p className="text-13 text-muted">Your role does not show it. An owner, an admin or a developer can see it.</p>
    </div>
  );
}
