import type { GatewayEnvelope } from '@countersign/protocol/gateway/envelope';
import { type ContentBlock, isSpecType } from '@modelcontextprotocol/server';

type Beside = {
  readonly envelope: GatewayEnvelope;
  /** Blocks of the tool's content, which follow the envelope in this order. */
  readonly blocks: readonly ContentBlock[];
};

/**
 * Takes what is not text out of `detail.downstreamContent`, so that it goes to the agent once and as what it is: an
 * image as an image. In its place stays the block without its payload, and `contentIndex` says where in `content` the
 * block is. A block that MCP does not know stays where it is: a client would refuse the whole answer for it.
 */
export function besideEnvelope(answer: GatewayEnvelope): Beside {
  const { downstreamContent } = answer.detail;
  const none = { envelope: answer, blocks: [] };
  if (!Array.isArray(downstreamContent) || downstreamContent.every(isText)) return none;
  const blocks: ContentBlock[] = [];
  const left = downstreamContent.map((block: unknown) => {
    const moved = isText(block) ? null : asBlock(block);
    if (moved === null) return block;
    // The envelope itself is content[0].
    const contentIndex = blocks.push(moved);
    return { ...stubOf(moved), contentIndex };
  });
  if (blocks.length === 0) return none;
  return { envelope: { ...answer, detail: { ...answer.detail, downstreamContent: left } }, blocks };
}

const isText = (block: unknown): boolean => isObject(block) && block['type'] === 'text';

const movedKinds = new Set(['image', 'audio', 'resource', 'resource_link']);

/** Null for a field that may be absent is what some servers write; clients take it for an error. */
function asBlock(block: unknown): ContentBlock | null {
  if (!isObject(block) || !movedKinds.has(String(block['type']))) return null;
  const { resource, ...rest } = withoutNulls(block);
  const plain = isObject(resource) ? { ...rest, resource: withoutNulls(resource) } : rest;
  return isSpecType.ContentBlock(plain) ? plain : null;
}

/** The block without what makes it large. */
function stubOf(block: ContentBlock): object {
  switch (block.type) {
    case 'image':
    case 'audio': {
      const { data: _, ...stub } = block;
      return stub;
    }
    case 'resource': {
      const { text: _, blob: __, ...resource } = block.resource as Record<string, unknown>;
      return { ...block, resource };
    }
    case 'resource_link':
    case 'text':
      return block;
  }
}

const withoutNulls = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
