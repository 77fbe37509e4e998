/**
 * The numbers that are the same phone as this one, itself first. In three countries a mobile's number is written with
 * or without one digit: Brazil's ninth (55 AA 9…), Mexico's 1 (52 1…), Argentina's 9 (54 9…).
 */
export function numberForms(number: string): string[] {
  const other = [
    number.replace(/^(55\d\d)9([6-9]\d{7})$/, '$1$2'),
    number.replace(/^(55\d\d)([6-9]\d{7})$/, '$19$2'),
    number.replace(/^521(\d{10})$/, '52$1'),
    number.replace(/^52(\d{10})$/, '521$1'),
    number.replace(/^549(\d{10})$/, '54$1'),
    number.replace(/^54(\d{10})$/, '549$1'),
  ].filter((form) => form !== number);
  return [number, ...other];
}
