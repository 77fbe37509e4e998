/** A text on one line, its variables set apart. */
export function VariableText({ text }: { text: string }) {
  const line = text.replaceAll(/\s+/g, ' ');
  const parts = line.split(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/);
  return (
    <span dir="auto" title={line} className="block truncate text-left text-12 text-muted">
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <code key={index} className="rounded-small bg-accent-subtle px-0.5 text-accent-ink">
            {part}
          </code>
        ),
      )}
    </span>
  );
}
