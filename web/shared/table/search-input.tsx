import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { controlClass } from '../form/control-class.ts';

const pauseMs = 300;

type SearchInputProps = {
  /** Names it; also what it says while empty. */
  label: string;
  value: string;
  /** Told once typing pauses. */
  onSearch: (text: string) => void;
  inputMode?: 'search' | 'tel';
};

export function SearchInput({ label, value, onSearch, inputMode = 'search' }: SearchInputProps) {
  const [text, setText] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  const [sent, setSent] = useState(value);
  if (shownValue !== value) {
    setShownValue(value);
    // Changed from elsewhere, by the browser's Back: what is typed follows. More may have been typed since it was sent.
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }

  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => {
      setSent(text.trim());
      search(text.trim());
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, value]);

  return (
    <span className="relative block min-w-0 max-sm:w-full sm:w-60">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint"
      />
      <input
        type="search"
        inputMode={inputMode}
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={clsx(controlClass, 'h-(--control-small) pr-2 pl-8 text-13')}
      />
    </span>
  );
}
