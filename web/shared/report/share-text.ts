/** `96.2%`; `–` of nothing. Never rounded up to all, nor down to none. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.1) return 'under 0.1%';
  if (percent < 100 && percent > 99.9) return '99.9%';
  return `${Number(percent.toFixed(1))}%`;
}
