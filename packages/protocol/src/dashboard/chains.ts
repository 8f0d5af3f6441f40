const chainAliases: ReadonlyArray<readonly [caip2: string, ...aliases: string[]]> = [
  ['eip155:1', 'ETH', 'ethereum', '1'],
  ['eip155:8453', 'base', '8453'],
  ['eip155:84532', 'base-sepolia', '84532'],
  ['eip155:137', 'polygon', '137'],
  ['eip155:42161', 'arbitrum', '42161'],
  ['eip155:10', 'optimism', '10'],
];

/**
 * Every name under which the log may have a chain, its CAIP-2 id first: they all mean the same one. `text` is any of them,
 * in any case.
 */
export function chainNames(text: string): readonly [caip2: string, ...aliases: string[]] {
  const name = spelledChain(text);
  const known = chainAliases.find((names) => names.includes(name));
  if (known !== undefined) return known;
  const number = /^(?:eip155:)?(\d+)$/.exec(name)?.[1];
  return number === undefined ? [name] : [`eip155:${number}`, number];
}

/** A chain that is known by this name in another case or with blanks around it, as it is spelled; any other text as it is. */
export function spelledChain(text: string): string {
  const name = text.trim().toLowerCase();
  const known = chainAliases.flat().find((alias) => alias.toLowerCase() === name);
  return known ?? (/^(?:eip155:)?\d+$/.test(name) ? name : text);
}

/** CAIP-2 id of a chain that KYT knows by name, number or CAIP-2 form; null for any other. */
export function knownChain(text: string): string | null {
  return chainAliases.find((names) => names.includes(text))?.[0] ?? null;
}
