const names: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
  84532: 'Base Sepolia',
};

/** Returns the name of a chain. */
export const chainName = (chainId: number): string => names[chainId] ?? `chain ${chainId}`;
