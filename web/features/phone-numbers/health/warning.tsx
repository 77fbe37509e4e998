import { TriangleAlert } from 'lucide-react';

/** The risk, below the switch that allows it. */
export function Warning({ text }: { text: string }) {
  return (
    <p className="flex gap-2 text-13 text-pretty text-yellow-ink">
      <TriangleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
      {text}
    </p>
  );
}
