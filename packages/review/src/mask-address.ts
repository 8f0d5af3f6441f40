/**
 * An address without secrets, which is still one. Its origin stands as it is: it is where the page comes from, and a port is no
 * short number.
 */
export function maskAddress(url: string, mask: (text: string) => string): string {
  const [, origin = '', rest = url] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  const masked = rest === '' ? '' : mask(rest);
  return origin + (origin !== '' && /^[^/?#]/.test(masked) ? `/${masked}` : masked);
}
