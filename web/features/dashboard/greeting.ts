/** `Good afternoon, Maya` at 14 o'clock; without a name just the time of day. */
export function greeting(name: string | undefined, hour: number): string {
  return withName(partOfDay(hour), name);
}

/** `Welcome, Maya`, for who is new here. */
export function welcome(name: string | undefined): string {
  return withName('Welcome', name);
}

function withName(words: string, name: string | undefined): string {
  const firstName = name?.trim().split(/\s+/)[0];
  return firstName ? `${words}, ${firstName}` : words;
}

function partOfDay(hour: number): string {
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}
