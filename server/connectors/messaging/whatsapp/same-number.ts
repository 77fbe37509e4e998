/**
 * Whether two numbers are the same phone. In three countries people dial a mobile with a digit that WhatsApp leaves
 * out of (or keeps in) the account's number: Brazil's ninth digit (55 AA 9…), Mexico's 1 (52 1…), Argentina's 9 (54 9…).
 */
export function isSameNumber(one: string, other: string): boolean {
  return withoutMobileDigit(one) === withoutMobileDigit(other);
}

function withoutMobileDigit(number: string): string {
  return number
    .replace(/^(55\d\d)9(\d{8})$/, '$1$2')
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1');
}
