import { parseAddress } from '@countersign/protocol/address';
import { isUrl } from '@countersign/protocol/url';
import { z } from 'zod';
import { discoveredPrice, type Price } from '../downstream/prices.ts';
import type { Proposal } from './proposal.ts';
import { cleaned, type Found, isServed, propose, text, toolAt, type Wanted } from './proposals.ts';

/** The same rule as for the names of tools that a service lists itself. */
const toolName = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}]{1,128}$/u);
const input = z.union([
  z.object({ type: z.literal('mcp'), toolName, description: text }),
  z.object({
    type: z.literal('http'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']).optional(),
  }),
]);
type Input = z.infer<typeof input>;

const described = z.object({ description: text }).optional().catch(undefined);

/** A resource of an x402 catalogue; of v2 with the "bazaar" extension, of v1 (HTTP alone) without. */
const resource = z.object({
  resource: z.string().max(2048),
  x402Version: z.number(),
  accepts: z.array(z.unknown()).max(16),
  type: text,
  description: text,
  serviceName: text,
  metadata: described,
  extensions: z
    .object({ bazaar: z.object({ info: z.object({ input }) }) })
    .optional()
    .catch(undefined),
});
type Resource = z.infer<typeof resource>;

/** Takes the price or the proposal that an item of an x402 catalogue is; of two items for one thing the first. */
export function takeResource(
  { prices, proposals }: Found,
  item: unknown,
  { served, tokens, source }: Wanted,
): void {
  const read = resource.safeParse(item);
  const asked = read.success ? inputOf(read.data) : null;
  if (!read.success || asked === null || !isUrl(read.data.resource)) return;
  const { resource: address, x402Version, accepts } = read.data;
  const url = new URL(address);
  const tool = asked.type === 'mcp' ? asked.toolName : '';
  const key = toolAt(url, tool);
  const price = discoveredPrice({ x402Version, accepts }, tokens);
  if (!isServed(url, served))
    propose(proposals, key, url, { ...proposalOf(read.data, asked, price), source });
  else if (tool !== '' && price !== null && !prices.has(key)) prices.set(key, price);
}

const inputOf = ({ extensions, type }: Resource): Input | null =>
  extensions?.bazaar.info.input ?? (type === 'http' ? { type } : null);

const proposalOf = (item: Resource, asked: Input, price: Price | null): Omit<Proposal, 'url' | 'source'> => ({
  ...(asked.type === 'mcp'
    ? { transport: 'streamable-http', toolName: asked.toolName }
    : { transport: 'http', ...(asked.method !== undefined && { method: asked.method }) }),
  ...cleaned(item.serviceName, descriptionOf(item, asked)),
  ...(price !== null && { price: price.price, currency: price.currency, ...payeeIn(item.accepts[0]) }),
});

/** The resource's own, else its tool's, else what its payment is for. */
const descriptionOf = ({ description, metadata, accepts }: Resource, asked: Input): string | undefined =>
  description ??
  metadata?.description ??
  (asked.type === 'mcp' ? asked.description : undefined) ??
  described.parse(accepts[0])?.description;

const paid = z.object({ payTo: z.string() });

function payeeIn(requirement: unknown): Pick<Proposal, 'payTo'> {
  const read = paid.safeParse(requirement);
  const payTo = read.success ? parseAddress(read.data.payTo) : null;
  return payTo === null ? {} : { payTo };
}
