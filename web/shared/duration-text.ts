const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const;

/** `42 s`, `5 min`, `2 h 10 min`, `3 d 4 h`; a dash for none. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–';
  const first = units.findIndex((unit) => seconds >= unit.seconds);
  const [large, small] = [units[first], units[first + 1]];
  if (!large) return `${seconds} s`;
  const count = Math.floor(seconds / large.seconds);
  const rest = small ? Math.floor((seconds % large.seconds) / small.seconds) : 0;
  return rest > 0 && small ? `${count} ${large.name} ${rest} ${small.name}` : `${count} ${large.name}`;
}
