const minute = 60_000;

type Pace = { elapsedMs: number; done: number; left: number };

/** `About 3 h 30 min left`, from how long the rows so far took. Undefined while there is nothing to tell it from. */
export function timeLeft({ elapsedMs, done, left }: Pace): string | undefined {
  if (done <= 0 || left <= 0) return undefined;
  const leftMs = (elapsedMs / done) * left;
  if (leftMs < minute) return 'Less than a minute left';
  const allMinutes = Math.round(leftMs / minute);
  const hours = Math.floor(allMinutes / 60);
  const minutes = allMinutes % 60;
  if (hours === 0) return `About ${minutes} min left`;
  return minutes === 0 ? `About ${hours} h left` : `About ${hours} h ${minutes} min left`;
}
