import { usePhoneFormat } from '../phone-format.ts';

/** A number for reading, `+1 415 555 0123`. `digits` carry the calling code. */
export function PhoneText({ digits }: { digits: string }) {
  const format = usePhoneFormat();
  return <span className="whitespace-nowrap tabular-nums">{format(digits)}</span>;
}
