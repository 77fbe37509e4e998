type PlaceholderChipProps = { placeholder: string; disabled: boolean; onInsert: (placeholder: string) => void };

/** Puts its placeholder into a message. */
export function PlaceholderChip({ placeholder, disabled, onInsert }: PlaceholderChipProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      aria-label={`Insert ${placeholder}`}
      onClick={() => onInsert(placeholder)}
      className="h-6 max-w-full truncate rounded-small border bg-sunken px-2 text-12 text-muted hover:bg-hover hover:text-ink disabled:text-faint"
    >
      {placeholder}
    </button>
  );
}
