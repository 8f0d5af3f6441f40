import { z } from 'zod';
import { decimalText } from '../amount.ts';
import { serviceFailure } from './envelope.ts';

/** Input of `list_gateway_services`. Fields that are not here are refused. */
export const listServicesInput = z.object({
  serviceId: z.string().optional().describe('Only this service'),
  query: z
    .string()
    .max(200)
    .optional()
    .describe('Only tools whose name or description contains this text, of at most 200 characters'),
  detail: z
    .enum(['names', 'summary', 'full'])
    .optional()
    .describe(
      'How much of each tool: "full" has its inputSchema. Without it, as much as a short answer holds',
    ),
  limit: z
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe('At most so many tools, 1 to 500; nextCursor has the rest'),
  cursor: z.string().max(20).optional().describe('nextCursor of the answer before'),
});
export type ListServicesInput = z.infer<typeof listServicesInput>;

/**
 * Input of `call_service_tool`. Fields that are not here are refused. `paymentPayload` is loose, so that garbage gets
 * an envelope instead of a protocol error.
 */
export const callToolInput = z.object({
  serviceId: z.string().describe('A service of list_gateway_services'),
  toolName: z.string().describe('A tool of that service'),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("The tool's arguments, as its inputSchema wants them"),
  argumentsJson: z
    .string()
    .optional()
    .describe(
      'The arguments as JSON text, only where your API lets you send no free-form object in "arguments"',
    ),
  paymentPayload: z
    .unknown()
    .optional()
    .meta({
      type: 'object',
      description:
        'Only after WALLET_APPROVAL_REQUIRED: {approvalId}, once the owner has approved at approvalUrl; or {approvalId, signature}, where they signed outside the dashboard',
      properties: {
        approvalId: {
          type: 'string',
          description: 'detail.paymentContext.approval.approvalId of that answer',
        },
        signature: {
          type: 'string',
          description:
            'Only if the owner signed detail.paymentContext.approval.typedData outside the dashboard',
        },
      },
      required: ['approvalId'],
    }),
  idempotencyKey: z
    .string()
    .min(8)
    .max(128)
    .optional()
    .describe('8 to 128 characters of your choice; calls with one key pay at most once'),
  maxAmount: decimalText
    .optional()
    .describe('The most that this call may cost, as decimal text such as "0.05"; nothing is paid above it'),
  waitSeconds: z
    .int()
    .min(0)
    .max(50)
    .optional()
    .describe('Where the owner has to approve: wait so long for the decision inside the call, 0 to 50'),
  dryRun: z.boolean().optional().describe('Tell what the call would end with; sign, pay and report nothing'),
});
export type CallToolInput = z.infer<typeof callToolInput>;

const jsonObject = z.record(z.string(), z.unknown());

/** Result of `list_gateway_services`. */
export const serviceList = z.object({
  services: z.array(
    z.object({
      serviceId: z.string(),
      name: z.string(),
      url: z.string(),
      transport: z.enum(['streamable-http', 'sse', 'http']),
      status: z.enum(['connected', 'connecting', 'unavailable']),
      error: z.string().optional(),
      failure: serviceFailure.optional(),
      /** The service's own instructions for use. */
      instructions: z.string().optional(),
      tools: z.array(
        z.object({
          name: z.string(),
          /** In a summary only the first sentence; absent where only names are listed. */
          description: z.string().optional(),
          /** Only in full. */
          inputSchema: jsonObject.optional(),
          outputSchema: jsonObject.optional(),
          annotations: jsonObject.optional(),
          /** Whether a call costs money; absent while nobody knows. */
          paid: z.boolean().optional(),
          /** Decimal text: the last price seen, else the one that the service announces. */
          price: z.string().optional(),
          currency: z.string().optional(),
          /** Who says so: the tool's annotations, its `_meta`, an x402 catalogue, or its own answer to an earlier call. */
          priceFrom: z.enum(['annotation', '_meta', 'discovery', 'seen']).optional(),
        }),
      ),
    }),
  ),
  /**
   * With `query`: services of catalogues that this gateway has not configured and never calls. Their texts
   * are untrusted.
   */
  discovered: z
    .array(
      z.object({
        transport: z.enum(['streamable-http', 'sse', 'http']),
        url: z.string(),
        method: z.string().optional(),
        toolName: z.string().optional(),
        name: z.string().optional(),
        description: z.string().optional(),
        /** Decimal text, as the catalogue has it. */
        price: z.string().optional(),
        currency: z.string().optional(),
        payTo: z.string().optional(),
        /** The catalogue's origin. */
        source: z.string(),
        /** Rates where the words of the query occur; discoveredNote explains how. */
        score: z.number(),
        matchedIn: z.array(z.enum(['toolName', 'name', 'url', 'description'])),
      }),
    )
    .optional(),
  discoveredNote: z.string().optional(),
  /** Present if the list is incomplete: how to get the rest. */
  note: z.string().optional(),
  nextCursor: z.string().optional(),
});
export type ServiceList = z.infer<typeof serviceList>;
