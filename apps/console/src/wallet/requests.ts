import { fail, ok, type Result } from '@countersign/protocol/result';
import type { WalletProblem } from './problem.ts';
import type { Provider } from './wallets.ts';

/** Requests to a wallet (EIP-1193). Each returns a value; an exception of the wallet becomes a problem. */

/** The account that the wallet offers, after asking its user. */
export async function connect(provider: Provider): Promise<Result<string, WalletProblem>> {
  const answer = await request(provider, 'eth_requestAccounts');
  if (!answer.ok) return answer;
  const [first] = Array.isArray(answer.value) ? answer.value : [];
  return typeof first === 'string' ? ok(first) : fail({ kind: 'failed' });
}

/** Fails unless the wallet offers this very account. */
export async function requireAccount(
  provider: Provider,
  wanted: string,
): Promise<Result<string, WalletProblem>> {
  const account = await connect(provider);
  if (!account.ok) return account;
  const same = account.value.toLowerCase() === wanted.toLowerCase();
  return same ? account : fail({ kind: 'other-account', wanted, actual: account.value });
}

/** Fails unless the wallet is on this chain; wallets refuse to sign typed data of another. */
export async function requireChain(
  provider: Provider,
  wanted: number,
): Promise<Result<number, WalletProblem>> {
  const answer = await request(provider, 'eth_chainId');
  if (!answer.ok) return answer;
  const actual = Number(answer.value);
  return actual === wanted ? ok(actual) : fail({ kind: 'wrong-chain', wanted, actual });
}

export async function switchChain(
  provider: Provider,
  wanted: number,
): Promise<Result<number, WalletProblem>> {
  const chainId = hexOf(wanted);
  const answer = await request(provider, 'wallet_switchEthereumChain', [{ chainId }]);
  if (answer.ok) return requireChain(provider, wanted);
  return answer.error.kind === 'unknown-chain' ? fail({ kind: 'unknown-chain', wanted }) : answer;
}

/** EIP-191, over the UTF-8 bytes of the text. */
export function signText(
  provider: Provider,
  account: string,
  text: string,
): Promise<Result<string, WalletProblem>> {
  const hex = Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  return signature(provider, 'personal_sign', [`0x${hex}`, account]);
}

/** EIP-712. `typedData` goes to the wallet as it is. */
export function signTypedData(
  provider: Provider,
  account: string,
  typedData: object,
): Promise<Result<string, WalletProblem>> {
  return signature(provider, 'eth_signTypedData_v4', [account, JSON.stringify(typedData)]);
}

const hexOf = (chainId: number): string => `0x${chainId.toString(16)}`;

export type Call = { readonly to: string; readonly data: string };

/** Calls a contract on the wallet's chain, without asking the user. */
export const readContract = (provider: Provider, call: Call): Promise<Result<unknown, WalletProblem>> =>
  request(provider, 'eth_call', [call, 'latest']);

/**
 * Has the wallet sign and send, once its user agrees; gives the transaction's hash, which says nothing of its end. The
 * chain is named, so that a wallet led to another one meanwhile refuses.
 */
export async function sendTransaction(
  provider: Provider,
  from: string,
  { chainId, ...call }: Call & { readonly chainId: number },
): Promise<Result<string, WalletProblem>> {
  const transaction = { from, ...call, value: '0x0', chainId: hexOf(chainId) };
  const answer = await request(provider, 'eth_sendTransaction', [transaction]);
  if (!answer.ok) return answer;
  const hash = typeof answer.value === 'string' ? answer.value : '';
  return /^0x[0-9a-f]{64}$/i.test(hash) ? ok(hash) : fail({ kind: 'failed' });
}

/**
 * Whether a transaction is in this chain, and whether it did anything there. What a wallet says that is on another chain
 * by then is not believed.
 */
export async function outcomeOf(
  provider: Provider,
  chainId: number,
  hash: string,
): Promise<Result<'waiting' | 'confirmed' | 'reverted' | 'unknown', WalletProblem>> {
  const answer = await request(provider, 'eth_getTransactionReceipt', [hash]);
  if (!answer.ok) return answer;
  const chain = await requireChain(provider, chainId);
  if (!chain.ok) return chain;
  if (typeof answer.value !== 'object' || answer.value === null) return ok('waiting');
  const { status } = answer.value as { readonly status?: unknown };
  const isNumber = typeof status === 'number' || (typeof status === 'string' && /^0x\d+$/.test(status));
  const read = isNumber ? Number(status) : null;
  return ok(read === 1 ? 'confirmed' : read === 0 ? 'reverted' : 'unknown');
}

async function signature(
  provider: Provider,
  method: string,
  params: readonly unknown[],
): Promise<Result<string, WalletProblem>> {
  const answer = await request(provider, method, params);
  if (!answer.ok) return answer;
  return typeof answer.value === 'string' ? ok(answer.value) : fail({ kind: 'failed' });
}

async function request(
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<Result<unknown, WalletProblem>> {
  try {
    return ok(await provider.request({ method, params }));
  } catch (error) {
    return fail(problemOf(error));
  }
}

/** EIP-1193, Provider Errors; EIP-1474; -32002 is MetaMask's for a question that is already open. */
function problemOf(error: unknown): WalletProblem {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 4001) return { kind: 'rejected' };
  if (code === -32002) return { kind: 'busy' };
  if (code === 4902) return { kind: 'unknown-chain', wanted: 0 };
  if (code === 4200 || code === -32601) return { kind: 'unsupported' };
  return { kind: 'failed' };
}
