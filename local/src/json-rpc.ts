/** Makes one JSON-RPC call. Throws with the node's own message on an error, or if it cannot be reached. */
export async function callRpc(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message ?? 'refused'}`);
  return answer.result;
}
