import { Check, X } from 'lucide-react';

/** Whether a numbering plan knows the number. */
export function PhoneValidity({ isValid }: { isValid: boolean }) {
  const Icon = isValid ? Check : X;
  return (
    <span className="inline-flex items-center gap-1.5 align-bottom">
      <Icon aria-hidden="true" className={isValid ? 'size-4 text-green-ink' : 'size-4 text-red-ink'} />
      {isValid ? 'Yes' : 'No'}
    </span>
  );
}
