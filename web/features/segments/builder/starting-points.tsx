import type { Expression } from '#contracts/expressions.ts';

const points: readonly { title: string; hint: string; expression: Expression }[] = [
  {
    title: 'New this week',
    hint: 'Created in the last 7 days',
    expression: { all: [{ field: 'created_at', op: 'within_last', n: 7, unit: 'days' }] },
  },
  {
    title: 'Talks back',
    hint: 'Answered in the last 30 days',
    expression: { all: [{ message: { of: 'any' }, state: 'replied', window: { last: 30, unit: 'days' } }] },
  },
  {
    title: 'Missed the last campaign',
    hint: 'Was sent it, and did not read it',
    expression: { all: [{ message: { of: 'campaign', last: true }, state: 'read', not: true }] },
  },
  {
    title: 'A random 10 %',
    hint: 'For a test, always the same people',
    expression: { all: [{ bucket: { of: 100, from: 0, to: 10, salt: '' } }] },
  },
];

/** Starts for a new segment; every part of one can be changed. */
export function StartingPoints({ onChoose }: { onChoose: (expression: Expression) => void }) {
  return (
    <div role="group" aria-label="Start from one of these" className="grid gap-2">
      <p className="text-13 text-muted">Start from one of these, or build your own below.</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {points.map(({ title, hint, expression }) => (
          <button
            key={title}
            type="button"
            onClick={() => onChoose(expression)}
            className="rounded-base border px-3 py-2 text-left hover:bg-hover"
          >
            <span className="block text-13 font-medium">{title}</span>
            <span className="block text-12 text-muted">{hint}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
