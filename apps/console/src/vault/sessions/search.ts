import type { SessionStatus } from '@countersign/protocol/vault/sandbox';
import { readPage } from '../tokens/search.ts';
import { statusNames } from './names.ts';

export type SessionsSearch = { readonly status?: SessionStatus; readonly page?: number };

export type SessionSearch = { readonly page?: number; readonly actor?: string };

/** Reads the actor whose operations are listed, in the vault's form. */
export function readSessionSearch(search: Record<string, unknown>): SessionSearch {
  const { actor } = search;
  return {
    ...(typeof actor === 'string' && actor !== '' && actor.length <= 512 && { actor }),
    ...readPage(search),
  };
}

/** Reads the filter from the address; what does not fit is left out. */
export function readSessionsSearch(search: Record<string, unknown>): SessionsSearch {
  const { status } = search;
  return {
    ...(typeof status === 'string' && status in statusNames && { status: status as SessionStatus }),
    ...readPage(search),
  };
}
