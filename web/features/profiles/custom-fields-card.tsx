import { customPath, useFieldNames } from '#web/shared/conditions/use-field-names.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { CopyButton } from '#web/shared/ui/copy-button.tsx';
import { fieldRows } from './field-rows.ts';

const copyTexts = { copied: 'Custom fields copied to clipboard', failed: 'Failed to copy custom fields' };

export function CustomFieldsCard({ fields }: { fields: Record<string, unknown> | null }) {
  const rows = fieldRows(fields ?? {});
  const nameOf = useFieldNames(rows.map(({ path }) => customPath(path)));
  return (
    <Card
      title="Custom fields"
      actions={
        rows.length > 0 && (
          <CopyButton variant="ghost" value={JSON.stringify(fields, null, 2)} label="Copy JSON" texts={copyTexts} />
        )
      }
    >
      {rows.length === 0 ? (
        <p className="text-muted">Nothing more is known.</p>
      ) : (
        <dl className="grid gap-x-4 gap-y-2.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          {rows.map(({ path, value, isText }) => (
            <div key={path} className="col-span-full grid grid-cols-subgrid items-baseline max-sm:gap-0.5">
              <dt className="text-muted">
                {nameOf(customPath(path)) === undefined ? (
                  <code className="text-13 wrap-anywhere">{path}</code>
                ) : (
                  <bdi title={path}>{nameOf(customPath(path))}</bdi>
                )}
              </dt>
              <dd className="whitespace-pre-wrap wrap-anywhere">
                {isText ? <bdi>{value}</bdi> : <code className="text-13">{value}</code>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}
