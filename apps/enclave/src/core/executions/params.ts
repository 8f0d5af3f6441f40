import { hash } from 'node:crypto';
import { canonicalText } from '@countersign/audit-log/chain';

export type Params = Readonly<Record<string, unknown>>;

/** The params of a text; null for what is no JSON object. */
export function readParams(text: Buffer): Params | null {
  try {
    const params: unknown = JSON.parse(text.toString('utf8'));
    return typeof params === 'object' && params !== null && !Array.isArray(params)
      ? (params as Params)
      : null;
  } catch {
    return null;
  }
}

/** `sha256:` of their RFC 8785 text; null where they have none. */
export function paramsHashOf(params: Params): string | null {
  try {
    return `sha256:${hash('sha256', canonicalText(params))}`;
  } catch {
    return null;
  }
}
