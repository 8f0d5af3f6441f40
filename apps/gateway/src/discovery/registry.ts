import { isUrl } from '@countersign/protocol/url';
import { z } from 'zod';
import { cleaned, type Found, isServed, propose, text, toolAt, type Wanted } from './proposals.ts';

const server = z.object({
  name: text,
  title: text,
  description: text,
  remotes: z.array(z.unknown()).max(16),
});

const official = z.object({ status: text, isLatest: z.boolean().optional().catch(undefined) });

/** An entry of the MCP registry: a server and what the registry says of it; in its first form, the server itself. */
const entry = z.union([
  z.object({
    server,
    _meta: z
      .object({ 'io.modelcontextprotocol.registry/official': official.optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
  server.transform((one) => ({ server: one, _meta: undefined })),
]);

/** `{name}` in an address stands for what the user fills in. */
const remote = z.object({
  type: z.enum(['streamable-http', 'sse']),
  url: z
    .string()
    .max(2048)
    .regex(/^[^{}]*$/)
    .refine(isUrl),
});

/** Takes the remote servers that an entry names; what the registry calls deprecated, deleted or older is left out. */
export function takeServer({ proposals }: Found, item: unknown, { served, source }: Wanted): void {
  const read = entry.safeParse(item);
  if (!read.success) return;
  const { server: named, _meta } = read.data;
  const said = _meta?.['io.modelcontextprotocol.registry/official'];
  if ((said?.status ?? 'active') !== 'active' || said?.isLatest === false) return;
  for (const one of named.remotes) {
    const at = remote.safeParse(one);
    if (!at.success) continue;
    const url = new URL(at.data.url);
    const words = cleaned(named.title ?? named.name, named.description);
    if (isServed(url, served)) continue;
    propose(proposals, toolAt(url, ''), url, { transport: at.data.type, ...words, source });
  }
}
