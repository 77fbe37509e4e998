/** Names that browsers still give for zones that are called otherwise today. */
const renamed = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);
const formerNames = new Map([...renamed].map(([former, today]) => [today, former]));

export type TimeZone = {
  name: string;
  /** `UTC+05:30` */
  offset: string;
};

/** A zone's present name, as far as this browser knows it by that name. */
export function currentZoneName(name: string): string {
  const today = renamed.get(name);
  return today !== undefined && offsetOf(today, new Date(0)) !== undefined ? today : name;
}

/** The reader's own zone. */
export function ownTimeZone(): string {
  return currentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** A zone's offset from UTC at an instant: `UTC+05:30`. Undefined for what is no zone. */
export function offsetOf(name: string, at: Date): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
    const part = format.formatToParts(at).find(({ type }) => type === 'timeZoneName');
    // Browsers differ in whether they write out that there is none.
    return part?.value.replace(/^(?:GMT|UTC)$/, 'UTC+00:00').replace('GMT', 'UTC');
  } catch {
    return undefined;
  }
}

/** Every zone that the browser knows, by today's names, in their order. */
export function timeZonesAt(at: Date): TimeZone[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(currentZoneName)]);
  return [...names].toSorted().map((name) => ({ name, offset: offsetOf(name, at) ?? '' }));
}

/** The zones whose name, former name or offset contains the typed text, in any case, with spaces or underscores. */
export function searchTimeZones(zones: readonly TimeZone[], typed: string): TimeZone[] {
  const wanted = searchable(typed);
  return zones.filter(({ name, offset }) =>
    [name, formerNames.get(name) ?? '', offset].some((text) => searchable(text).includes(wanted)),
  );
}

/** The zone that is meant by its whole name, former name included, else undefined. */
export function findTimeZone(zones: readonly TimeZone[], typed: string): TimeZone | undefined {
  const wanted = searchable(typed);
  return zones.find(({ name }) => [name, formerNames.get(name) ?? ''].some((known) => searchable(known) === wanted));
}

const searchable = (text: string) => text.trim().toLowerCase().replaceAll(' ', '_');
