import type { Address } from '@countersign/protocol/address';
import { type Hex, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { z } from 'zod';
import type { KytVendor } from '../screening/ports.ts';
import { notListed, sanctioned } from '../screening/risk.ts';
import { askVendor, malformed, readAnswer } from './ask-vendor.ts';

export type SanctionsOracleConfig = {
  /** JSON-RPC of the chain on which the contract lies. */
  readonly rpcUrl: URL;
  readonly contract: Address;
};

const abi = parseAbi(['function isSanctioned(address) view returns (bool)']);
/** One ABI word; a boolean is nothing else. Nothing at all (`0x`) means that no contract lies there. */
const answered = z.object({ id: z.literal(1), result: z.string().regex(/^0x0{63}[01]$/) });

/** A contract on chain that knows sanctioned addresses, by `isSanctioned(address)`. It knows no other risk. */
export const sanctionsOracle = ({ rpcUrl, contract }: SanctionsOracleConfig): KytVendor => ({
  kind: 'vendor',
  id: 'sanctions-oracle',

  async screen({ address }, signal) {
    const data = encodeFunctionData({ abi, functionName: 'isSanctioned', args: [address] });
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: contract, data }, 'latest'] };
    const headers = { 'content-type': 'application/json' };
    const answer = await askVendor(
      { method: 'POST', url: rpcUrl, headers, body: JSON.stringify(call) },
      signal,
    );
    if (answer.kind === 'unavailable') return answer;
    const read = readAnswer(answered, answer);
    if (!read.ok) return malformed('the call of isSanctioned(address) has no boolean result', answer.raw);
    const result = read.value.result as Hex;
    const isListed = decodeFunctionResult({ abi, functionName: 'isSanctioned', data: result });
    const { raw, requestId } = answer;
    const risk = isListed ? sanctioned : notListed;
    return { kind: 'screened', ...risk, source: 'sanctions-oracle', listDate: null, requestId, raw };
  },
});
