import { getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { zonesOfCountry } from '#server/platform/country-of-zone.ts';
import { localHour } from '#server/platform/wall-clock.ts';

/** The hours, by the recipient's clock, in which somebody who never wrote may be written to. */
export const daytime = { fromHour: 9, toHour: 20 } as const;

/** All zones' offsets from UTC are a whole number of these. */
const quarterMs = 15 * 60_000;
const searchMs = 48 * 60 * 60_000;

const zonesByCountry = new Map<string, readonly string[]>();

function cachedZonesOf(country: string): readonly string[] {
  let zones = zonesByCountry.get(country);
  if (!zones) {
    zones = zonesOfCountry(country);
    zonesByCountry.set(country, zones);
  }
  return zones;
}

/** The country of a number's plan (two letters); undefined for numbers of no country, such as +800. */
export function countryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(`+${number}`)?.country;
}

/**
 * The same from the first digits and the length alone: for who reads many numbers and asks `countryOf` later. Numbers of
 * one block are of one country.
 */
export function countryOfDigits(number: string): string | undefined {
  const block = `${number.slice(0, 7)} ${number.length}`;
  if (!blocks.has(block)) {
    if (blocks.size >= mostBlocks) blocks.clear();
    blocks.set(block, countryOf(number));
  }
  return blocks.get(block);
}

const mostBlocks = 20_000;
const blocks = new Map<string, string | undefined>();

/** The countries with a plan of numbers in which it is daytime now. */
export function countriesInDaytime(fallbackZone: string, now: Date): string[] {
  return getCountries().filter((country) => nextDaytime(country, fallbackZone, now) <= now);
}

/** A stretch of time over which the answer stays the same. */
type Stretch = { fromMs: number; toMs: number; opensAtMs: number };

const stretches = new Map<string, Stretch>();

/**
 * When it is next daytime in a country: `now` where it is already. Where the country has several zones, the hours count
 * that are day in all of them; where there are none such, or no country, those of `fallbackZone`.
 */
export function nextDaytime(country: string | undefined, fallbackZone: string, now: Date): Date {
  const nowMs = now.getTime();
  const key = `${country ?? ''} ${fallbackZone}`;
  let stretch = stretches.get(key);
  if (!stretch || nowMs < stretch.fromMs || nowMs >= stretch.toMs) {
    const ownZones = country === undefined ? [] : cachedZonesOf(country);
    stretch = findStretch(ownZones, nowMs) ?? findStretch([fallbackZone], nowMs);
    if (!stretch) throw new Error(`There is no daytime in ${fallbackZone}`);
    stretches.set(key, stretch);
  }
  return new Date(Math.max(nowMs, stretch.opensAtMs));
}

function findStretch(zones: readonly string[], nowMs: number): Stretch | undefined {
  if (zones.length === 0) return undefined;
  const isDay = (atMs: number) => zones.every((zone) => isDaytimeIn(zone, atMs));
  const fromMs = Math.floor(nowMs / quarterMs) * quarterMs;
  const isDayNow = isDay(fromMs);
  for (let atMs = fromMs; atMs < fromMs + searchMs; atMs += quarterMs) {
    if (isDay(atMs) !== isDayNow) return { fromMs, toMs: atMs, opensAtMs: isDayNow ? fromMs : atMs };
  }
  return undefined;
}

function isDaytimeIn(zone: string, atMs: number): boolean {
  const hour = localHour(atMs, zone);
  return hour >= daytime.fromHour && hour < daytime.toHour;
}
