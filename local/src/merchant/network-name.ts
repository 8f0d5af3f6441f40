const names: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:8453': 'base',
  'eip155:84532': 'base-sepolia',
};

/** The name x402 v1 has for a network of v2. Throws for one that we have no name for. */
export function networkNameOf(network: string): string {
  const name = names[network];
  if (name === undefined) throw new Error(`x402 v1 has no name for ${network}`);
  return name;
}
