let text: string | null = null;

/** What the sign-in page says to somebody who was signed out by what he did; until somebody signs in. */
export const farewell = (): string | null => text;

export function sayFarewell(next: string | null): void {
  text = next;
}
