type DaysTableProps<Name extends string> = {
  caption: string;
  /** `day` as `2026-11-18`. */
  days: readonly ({ day: string } & Record<Name, number>)[];
  series: readonly { name: Name; label: string }[];
};

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `2026-11-18` as `18 Nov`. */
export const shortDay = (day: string) => short.format(new Date(`${day}T00:00:00Z`));

/** The data of a chart of days, for screen readers. */
export function DaysTable<Name extends string>({ caption, days, series }: DaysTableProps<Name>) {
  return (
    <table className="sr-only">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {series.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">{shortDay(day.day)}</th>
            {series.map(({ name }) => (
              <td key={name}>{day[name].toLocaleString('en')}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
