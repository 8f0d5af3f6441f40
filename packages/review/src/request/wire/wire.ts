import type { Seen } from '../seen.ts';
import { isBatch } from './batch.ts';
import { isConnection } from './connection.ts';
import { isComponent, isView } from './component.ts';
import { isPostback } from './postback.ts';
import type { Shape } from './shape.ts';

const shapes: readonly Shape[] = [isConnection, isPostback, isComponent, isView, isBatch];

/**
 * What a message of a framework does, whose address says nothing of that: pages post back to themselves, components to one address, many
 * requests in one. Null where it is none.
 */
export function wireOf(seen: Seen): 'reading' | 'login' | 'write' | null {
  if (seen.sent.isCut === true) return null;
  const found = shapes.map((shape) => shape(seen)).find((one) => one !== null);
  if (found === undefined || found === 'login') return found ?? null;
  return found ? 'reading' : 'write';
}
