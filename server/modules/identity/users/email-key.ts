/** The form of an address that uniqueness and sign-in compare. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
