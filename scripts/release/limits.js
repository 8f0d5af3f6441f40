// How large a packed package may be: what docs/packages.md promises.

/** The limits in kB, by package: a row each of the table in the page. */
export function limitsOf(page) {
  const rows = page.matchAll(/^\| `([@/\w-]+)` \|.*\| (\d+) kB \|$/gm);
  return new Map([...rows].map(([, name, limit]) => [name, Number(limit)]));
}

/** Its size in kB and its limit. A package that the page does not name may have nothing. */
export function measured({ name, bytes }, limits) {
  const [size, limit] = [Math.ceil(bytes / 1000), limits.get(name) ?? 0];
  return { size, limit, isTooLarge: size > limit };
}
