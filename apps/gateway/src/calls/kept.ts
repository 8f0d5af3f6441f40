import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';

/** No kept answer is larger than this, and all of a wallet together are not larger than that; in bytes of JSON. */
const maxKeptBytes = 1024 * 1024;
export const maxAllKeptBytes = 256 * 1024 * 1024;

/** How long an undelivered answer is kept for the next identical call, in milliseconds. */
export const offeredForMs = 10 * 60 * 1000;

export const bytesOf = (answer: GatewayEnvelope): number => Buffer.byteLength(JSON.stringify(answer));

/** An answer as it is kept. */
export const toKeep = (answer: GatewayEnvelope): GatewayEnvelope =>
  bytesOf(answer) > maxKeptBytes ? withoutContent(answer) : answer;

/**
 * Returns the answer without its content, for which there is no room. It still says how it was paid for, so
 * that nobody pays again.
 */
export function withoutContent(answer: GatewayEnvelope): GatewayEnvelope {
  const {
    downstreamStructuredContent: _structured,
    downstreamMeta: _meta,
    downstreamError: _error,
    ...detail
  } = answer.detail;
  return {
    ...answer,
    message: `${answer.message} The tool’s answer is no longer kept: it was larger than 1 MiB, or made room for newer ones.`,
    detail: { ...detail, downstreamContent: null },
  };
}

/** An answer that is given again. */
export const replayed = (answer: GatewayEnvelope): GatewayEnvelope => ({
  ...answer,
  detail: { ...answer.detail, replayed: true },
});
