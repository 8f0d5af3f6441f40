import type { GatewayCode } from '@countersign/protocol/gateway/codes';
import { type GatewayEnvelope, gatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import {
  type callToolInput,
  type listServicesInput,
  type ServiceList,
  serviceList,
} from '@countersign/protocol/gateway/tools';
import { fetchWithOwnSignal } from '@countersign/service/own-signal';
import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { z } from 'zod';

/**
 * What came of a tool call. `ok` and `refused` are the gateway's own word; its whole envelope is in `data` of either.
 * `WALLET_APPROVAL_REQUIRED` is a question to the owner: see `approvalIn`.
 */
export type Called =
  | { readonly kind: 'ok'; readonly asked: string; readonly data: GatewayEnvelope }
  | {
      readonly kind: 'refused';
      readonly asked: string;
      readonly code: Exclude<GatewayCode, 'SUCCESS'>;
      readonly msg: string;
      readonly data: GatewayEnvelope;
    }
  | Failed;

/** No answer that can be believed. Whether a call was carried out, and paid, is then unknown: see `idempotencyKey`. */
type Failed = {
  readonly kind: 'failed';
  readonly asked: string;
  readonly why: 'timeout' | 'unreachable' | 'malformed';
};

export type Gateway = {
  readonly listServices: (
    filter?: z.input<typeof listServicesInput>,
  ) => Promise<
    { readonly kind: 'ok'; readonly asked: string; readonly data: ServiceList['services'] } | Failed
  >;
  /** Calls a tool of a service, and pays for it within what the owner signed. */
  readonly call: (input: z.input<typeof callToolInput>) => Promise<Called>;
  readonly close: () => Promise<void>;
};

export type GatewayOptions = {
  /** Such as `http://127.0.0.1:4020/mcp`. */
  readonly url: string;
  /** One of the gateway's `GATEWAY_AUTH_TOKENS`. */
  readonly token?: string;
  /** Default three minutes: a payment takes as long as its settlement. */
  readonly timeoutMs?: number;
};

/** A gateway over MCP, through the official client. Throws when it cannot be connected to. */
export async function connectGateway({ url, token, timeoutMs = 180_000 }: GatewayOptions): Promise<Gateway> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = new Client({ name: 'countersign-sdk', version: '0.1.0' });
  const transport = { requestInit: { headers }, fetch: fetchWithOwnSignal };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), transport));
  const ask = async <T>(name: string, args: object, schema: z.ZodType<T>) => {
    try {
      const result = await client.callTool({ name, arguments: { ...args } }, { timeout: timeoutMs });
      const read = schema.safeParse(result.structuredContent);
      return read.success ? ({ kind: 'ok', data: read.data } as const) : failed('malformed');
    } catch (error) {
      const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
      return failed(isLate ? 'timeout' : 'unreachable');
    }
  };
  return {
    async listServices(filter = {}) {
      const asked = 'list_gateway_services';
      const answer = await ask(asked, filter, serviceList);
      return answer.kind === 'ok' ? { ...answer, asked, data: answer.data.services } : { ...answer, asked };
    },
    async call(input) {
      const asked = `${input.toolName} of ${input.serviceId}`;
      const answer = await ask('call_service_tool', input, gatewayEnvelope);
      return answer.kind === 'ok' ? judge(asked, answer.data) : { ...answer, asked };
    },
    close: () => client.close(),
  };
}

const failed = (why: Failed['why']) => ({ kind: 'failed', why }) as const;

function judge(asked: string, envelope: GatewayEnvelope): Called {
  const { ok, code, message: msg } = envelope;
  if (code === 'SUCCESS')
    return ok ? { kind: 'ok', asked, data: envelope } : { ...failed('malformed'), asked };
  return { kind: 'refused', asked, code, msg, data: envelope };
}

/** The id of the approval that a `WALLET_APPROVAL_REQUIRED` asks for: it lies in the owner's inbox under it. Null without one. */
export function approvalIn({ detail }: GatewayEnvelope): string | null {
  const approval = detail.paymentContext?.['approval'];
  const isOne = typeof approval === 'object' && approval !== null && 'approvalId' in approval;
  return isOne && typeof approval.approvalId === 'string' ? approval.approvalId : null;
}

/** Returns a tool's text content; if it has only structured content, that as JSON. */
export const textOf = ({ detail }: GatewayEnvelope): string =>
  wordsIn(detail) || JSON.stringify(detail.downstreamStructuredContent ?? '');

const wordsIn = (detail: GatewayEnvelope['detail']): string =>
  (Array.isArray(detail.downstreamContent) ? (detail.downstreamContent as { text?: unknown }[]) : [])
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string')
    .join('\n');
