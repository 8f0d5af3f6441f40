const chainAliases: ReadonlyArray<readonly [caip2: string, ...aliases: string[]]> = [
  ['eip155:1', 'ETH', 'ethereum', '1'],
  ['eip155:8453', 'base', '8453'],
  ['eip155:84532', 'base-sepolia', '84532'],
  ['eip155:137', 'polygon', '137'],
  ['eip155:42161', 'arbitrum', '42161'],
  ['eip155:10', 'optimism', '10'],
];

/** Every name under which reports may know a chain, its CAIP-2 id first: they all mean the same one. */
export function chainNames(text: string): readonly [caip2: string, ...aliases: string[]] {
  const known = chainAliases.find((names) => names.includes(text));
  if (known !== undefined) return known;
  const number = /^(?:eip155:)?(\d+)$/.exec(text)?.[1];
  return number === undefined ? [text] : [`eip155:${number}`, number];
}

/** CAIP-2 id of a chain that KYT knows by name, number or CAIP-2 form; null for any other. */
export function knownChain(text: string): string | null {
  return chainAliases.find((names) => names.includes(text))?.[0] ?? null;
}
