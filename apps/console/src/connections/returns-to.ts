/**
 * Describes where the browser is sent back to: a host, or the app or program behind a private scheme or local
 * port.
 */
export function returnsToWords(returnsTo: string): string {
  if (returnsTo.endsWith(':')) return `an app on this device (scheme ${returnsTo.slice(0, -1)})`;
  const [, port] = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec(returnsTo) ?? [null, null];
  return port === null ? returnsTo : `a program on this device (port ${port ?? 80})`;
}
