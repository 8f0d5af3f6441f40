import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem';
import { notFound, parse, pass, reject, unauthorized, type Vendor } from './vendor.ts';

const contract = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb';
const abi = parseAbi(['function isSanctioned(address) view returns (bool)']);
const result = (answer: boolean) => ({
  result: encodeFunctionResult({ abi, functionName: 'isSanctioned', result: answer }),
});

/** A node of a chain on which the contract lies. The key of such a node is in its URL. */
export const sanctionsOracle: Vendor = {
  id: 'sanctions-oracle',
  kind: 'kyt',
  env: (url) => ({ KYT_PROVIDER: 'sanctions-oracle', SANCTIONS_ORACLE_RPC_URL: `${url}/v3/node-key` }),
  wrong: ['SANCTIONS_ORACLE_RPC_URL', '/v3/another-key'],

  answer({ method, path, body }, said) {
    if (path !== '/v3/node-key') return unauthorized;
    const { id, method: called, params = [] } = parse(body) ?? {};
    const [{ to, data } = {}, block] = params;
    if (method !== 'POST' || called !== 'eth_call' || to !== contract || block !== 'latest') return notFound;
    const { functionName } = decodeFunctionData({ abi, data });
    return { body: { jsonrpc: '2.0', id, ...(functionName === 'isSanctioned' && said) } };
  },

  meanings: [
    ['not sanctioned', result(false), pass('low', 0)],
    ['sanctioned', result(true), reject('severe', 100)],
  ],
  nonsense: [
    ['no contract there', { result: '0x' }],
    ['an error of the node', { error: { code: -32000, message: 'execution reverted' } }],
    ['a number that is no boolean', { result: `0x${'0'.repeat(63)}2` }],
    ['a wrong type', { result: false }],
    ['the answer to another question', { ...result(false), id: 99 }],
  ],
};
