/**
 * Of JSON-RPC: a code of -32700 to -32600 says what is wrong with the request, but for an internal error. Any other is the server's own
 * (-32099 to -32000) or the tool's, and may come in the middle of the work.
 */
export const saysNothingDone = (code: number): boolean => code >= -32700 && code <= -32600 && code !== -32603;
