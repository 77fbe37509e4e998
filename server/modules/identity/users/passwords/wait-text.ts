const minute = 60;

/** How long to wait, never less than it is: `a minute`, `15 minutes`. */
export function waitText(seconds: number): string {
  const minutes = Math.ceil(seconds / minute);
  return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
}
