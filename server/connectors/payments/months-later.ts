/** The same day and time in UTC, so many calendar months later; the month's last day where it is shorter. */
export function monthsLater(start: Date, months: number): Date {
  const later = new Date(start);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return later;
}

/** The end of the period that `at` falls into; periods count from the start, so that the 31st comes back. */
export function endOfPeriod(start: Date, months: number, at: Date): Date {
  for (let periods = 1; ; periods += 1) {
    const end = monthsLater(start, periods * months);
    if (end > at) return end;
  }
}
