import type { Reading } from './service.ts';

/** Counts since the start, by name and labels; `helps` names every counter that there is. */
export function createCounters<Name extends string>(
  helps: Readonly<Record<Name, string>>,
): { add(name: Name, labels: Readonly<Record<string, string>>, by?: number): void; report(): readonly Reading[] } {
  const readings = new Map<string, Reading>();
  return {
    add(name, labels, by = 1) {
      const key = `${name} ${JSON.stringify(labels)}`;
      const reading = readings.get(key) ?? { name, help: helps[name], labels, value: 0 };
      reading.value += by;
      readings.set(key, reading);
    },
    report: () => [...readings.values()],
  };
}
