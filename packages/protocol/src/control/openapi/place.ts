import type { Definition } from '../connector.ts';
import { type HttpOperation, type SecurityScheme, securitySchemeOf } from './operation.ts';

/** Where the credential is placed in a request, and in which form. */
export type Place = {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: string;
  readonly form: 'plain' | 'base64';
};

/**
 * Where an operation wants it: null where nobody is asked who they are, or needs to be and there is no credential; `none`
 * where no way is one that we know.
 */
export function placeOf(
  definition: Definition<'http'>,
  { security }: HttpOperation,
  hasCredential: boolean,
): Place | null | 'none' {
  const isOpen = security.some((way) => Object.keys(way).length === 0);
  if (security.length === 0 || (isOpen && !hasCredential)) return null;
  // There is one credential: where two are wanted together, that is no way.
  for (const [name, ...others] of security.map(Object.keys)) {
    const scheme = name === undefined ? null : securitySchemeOf(definition, name);
    const place = scheme === null || others.length > 0 ? null : placeIn(scheme);
    if (place !== null) return place;
  }
  return isOpen ? null : 'none';
}

const bearer: Place = { in: 'header', name: 'authorization', prefix: 'Bearer ', form: 'plain' };

function placeIn(scheme: SecurityScheme): Place | null {
  switch (scheme.type) {
    case 'apiKey':
      return { in: scheme.in, name: scheme.name, prefix: '', form: 'plain' };
    case 'oauth2':
    case 'openIdConnect':
      return bearer;
    case 'http':
      if (/^bearer$/i.test(scheme.scheme)) return bearer;
      return /^basic$/i.test(scheme.scheme)
        ? { in: 'header', name: 'authorization', prefix: 'Basic ', form: 'base64' }
        : null;
  }
}
