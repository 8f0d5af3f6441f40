import type { CredentialType } from '@countersign/protocol/vault/credential';
import { typeNames } from './fields.ts';

export type CredentialsSearch = {
  readonly type?: CredentialType;
  readonly service?: string;
  readonly page?: number;
};

/** Reads the filters from the address; what does not fit is left out. */
export function readCredentialsSearch(search: Record<string, unknown>): CredentialsSearch {
  const { type, service, page } = search;
  const name = typeof service === 'string' || typeof service === 'number' ? String(service).trim() : '';
  return {
    ...(typeof type === 'string' && type in typeNames && { type: type as CredentialType }),
    ...(name !== '' && name.length <= 256 && { service: name }),
    ...(Number.isSafeInteger(Number(page)) && Number(page) >= 2 && { page: Number(page) }),
  };
}
