let text: string | null = null;

/**
 * Returns the sign-in page's text for somebody whom their own action signed out; null after the next sign-in.
 */
export const farewell = (): string | null => text;

export function sayFarewell(next: string | null): void {
  text = next;
}
