export type UsageColor = 'green' | 'yellow' | 'red';

/** Red at 90% of the daily maximum, yellow at 70%, green below and where there is none. */
export function usageColor(count: number, maximum: number | null): UsageColor {
  if (maximum === null) return 'green';
  if (count >= maximum * 0.9) return 'red';
  return count >= maximum * 0.7 ? 'yellow' : 'green';
}

export function usagePercent(count: number, maximum: number | null): number {
  if (maximum === null) return 0;
  return maximum <= 0 ? 100 : Math.min(100, (count / maximum) * 100);
}
