import { z } from 'zod';

/** Input of `list_gateway_services`. */
export const listServicesInput = z.object({
  serviceId: z.string().optional().describe('Only this service'),
  query: z.string().max(200).optional().describe('Only tools whose name or description contains this text'),
});

/** Input of `call_service_tool`. `paymentPayload` is loose, so that garbage gets an envelope instead of a protocol error. */
export const callToolInput = z.object({
  serviceId: z.string().describe('A service of list_gateway_services'),
  toolName: z.string().describe('A tool of that service'),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .describe("The tool's arguments, as its inputSchema wants them"),
  paymentPayload: z
    .unknown()
    .optional()
    .describe(
      "After WALLET_APPROVAL_REQUIRED: {approvalId, signature}, the owner's signature over paymentContext.approval.typedData",
    ),
  idempotencyKey: z.string().min(8).max(128).optional().describe('Calls with one key pay at most once'),
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
      transport: z.enum(['streamable-http', 'sse']),
      status: z.enum(['connected', 'connecting', 'unavailable']),
      error: z.string().optional(),
      tools: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          inputSchema: jsonObject,
          outputSchema: jsonObject.optional(),
          annotations: jsonObject.optional(),
        }),
      ),
    }),
  ),
});
export type ServiceList = z.infer<typeof serviceList>;
