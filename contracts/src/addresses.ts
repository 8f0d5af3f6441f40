/** Where Circle's USDC stands on Base Sepolia (84532); a local chain has `TestUSDC` at the same address. */
export const usdcAddress = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

/** Where Multicall3 stands on Base Sepolia, as on nearly every public chain; a local chain has to be given it. */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11';
