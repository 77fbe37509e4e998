import { CopyButton } from '../ui/copy-button.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';

const shownAtFirst = 4;

type EventPropertiesProps = {
  properties: Readonly<Record<string, unknown>>;
  /** In a list of a line each: the values alone. */
  isBrief?: boolean;
};

/** The first properties of an event as name and value, and all of them as JSON on demand. */
export function EventProperties({ properties, isBrief = false }: EventPropertiesProps) {
  const entries = Object.entries(properties);
  if (entries.length === 0) return null;
  const shown = entries.slice(0, shownAtFirst);
  const line = (
    <span className="flex min-w-0 flex-wrap gap-x-2.5 gap-y-1 font-mono text-12">
      {shown.map(([name, value]) => (
        <span key={name} className="max-w-full truncate">
          <span className="text-muted">{name}</span> <bdi>{brief(value)}</bdi>
        </span>
      ))}
      {entries.length > shown.length && <span className="text-muted">and {entries.length - shown.length} more</span>}
    </span>
  );
  if (isBrief) return line;
  const json = JSON.stringify(properties, null, 2);
  return (
    <>
      {line}
      <details className="text-13">
        <summary className="w-fit cursor-pointer rounded-small text-muted hover:text-ink max-sm:py-2.5">
          All of it
        </summary>
        <div className="relative mt-1 rounded-base border bg-sunken">
          <ScrollRegion label="Properties" className="max-h-72">
            <pre className="p-3 pr-12 font-mono text-12">{json}</pre>
          </ScrollRegion>
          <span className="absolute top-1.5 right-1.5">
            <CopyButton
              iconOnly
              value={json}
              label="Copy properties"
              texts={{ copied: 'Properties copied', failed: 'Failed to copy the properties' }}
            />
          </span>
        </div>
      </details>
    </>
  );
}

function brief(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.length} ${value.length === 1 ? 'entry' : 'entries'}]`;
  return JSON.stringify(value) ?? '';
}
