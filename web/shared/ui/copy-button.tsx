import { clsx } from 'clsx';
import { Check, Copy } from 'lucide-react';
import { useCopy } from '../use-copy.ts';
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx';
import { IconButton } from './icon-button.tsx';

export type CopyTexts = {
  /** The toast once it is on the clipboard, such as 'Auth key copied to clipboard'. */
  copied: string;
  /** The toast when the browser refuses, such as 'Failed to copy auth key'. */
  failed: string;
};

type CopyButtonProps = {
  value: string;
  /** Names the button: 'Copy', 'Copy Auth Key'. */
  label: string;
  texts: CopyTexts;
  /** An icon alone; the label stays its name. */
  iconOnly?: boolean;
  variant?: ButtonVariant;
  size?: ButtonSize;
};

/** Copies; its icon is a tick for two seconds. */
export function CopyButton({ value, label, texts, iconOnly = false, variant, size = 'small' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(texts);
  const Icon = isCopied ? Check : Copy;
  const icon = (
    <Icon aria-hidden="true" className={clsx('size-4', isCopied && variant !== 'primary' && 'text-green-ink')} />
  );
  if (iconOnly) return <IconButton label={label} icon={icon} onClick={() => void copy(value)} />;
  return (
    <Button variant={variant} size={size} icon={icon} onClick={() => void copy(value)}>
      {label}
    </Button>
  );
}
