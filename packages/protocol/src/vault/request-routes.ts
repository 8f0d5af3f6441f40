import { z } from 'zod';
import type { RouteTable } from '../route.ts';
import { isNoCredentialHeader, isRefusedHeader } from './request-headers.ts';
import { fieldsNamed, parseTemplate } from './placeholder.ts';
import type { VaultCode } from './codes.ts';
import type { VaultAuth } from './dialect.ts';

/** Most bytes of an answer's body: it must fit into a frame, also where masks are longer than what they hide. */
export const maxRequestedBytes = 4 * 1024 * 1024;

/** RFC 9110, 5.1 and 5.5: anything else would smuggle a second header in. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/, 'must be a header name');
const headerValue = z
  .string()
  .max(65_536)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value');
const headers = z
  .record(headerName, headerValue)
  .refine((all) => Object.keys(all).length <= 64, 'must be 64 headers at most');

/** A malformed placeholder is told by whoever fills it. */
const holdsOne = (value: string): boolean => {
  const template = parseTemplate(value);
  return !template.ok || fieldsNamed(template.value).length > 0;
};

/** Names of headers have no case. */
const areDistinct = (...maps: readonly object[]): boolean => {
  const names = maps.flatMap((map) => Object.keys(map)).map((name) => name.toLowerCase());
  return new Set(names).size === names.length;
};

const credentialHeaders = headers
  .refine((all) => !Object.keys(all).some(isNoCredentialHeader), 'has a header that carries no credential')
  .refine(
    (all) => Object.values(all).every(holdsOne),
    'each must hold a placeholder, like {{CREDENTIAL.key}}',
  )
  .refine((all) => Object.keys(all).length > 0, 'must hold a placeholder, like {{CREDENTIAL.key}}');

/** Longest that a request may take, in milliseconds. */
export const maxRequestMs = 120_000;

/** One request as it is sent, without the credential. */
export const requestToSend = z
  .strictObject({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: z.url({ protocol: /^https?$/ }).max(16_384),
    /** Sent as they are: no placeholder in them means anything, and none of them takes the place of one below. */
    headers: headers
      .refine((all) => !Object.keys(all).some(isRefusedHeader), 'has a header that no caller sets')
      .default({}),
    /** Headers in which `{{CREDENTIAL.<field>}}` stands for a field of the credential. */
    credential_headers: credentialHeaders,
    body: z.string().optional(),
    timeout_ms: z.int().min(1).max(maxRequestMs),
  })
  .refine((sent) => areDistinct(sent.headers, sent.credential_headers), 'headers: one is named twice');

/** Why an answer is not whole. */
export const cutShort = z.enum(['too-large', 'late', 'broken']);

/**
 * Why there is no answer. `no_answer`: the request was sent, and nobody knows whether the service did it; after the others
 * nothing was sent. `credential_guessable`: a secret of it may be one that a person chose.
 */
export const requestProblem = z.enum([
  'private_address',
  'unreachable',
  'credential_unusable',
  'credential_guessable',
  'no_answer',
]);

/** A credential is sent in one HTTP request: for gateways, whose caller chooses neither where nor in which header. */
export const requestRoutes = {
  sendRequest: {
    method: 'POST',
    path: '/api/v1/credentials/:id/requests',
    auth: 'bearer',
    scope: 'credential:send',
    summary:
      'Send one HTTP request within allowed_urls, with the credential put into its headers in the enclave; the answer comes without it, and no redirect is followed',
    body: requestToSend,
    data: z.object({
      /** Id of the `credential_access` record; null if the credential was not opened. */
      audit_id: z.string().nullable(),
      answer: z
        .object({
          status: z.int(),
          headers: z.record(z.string(), z.string()),
          /** Base64. */
          body: z.string(),
          cut: cutShort.nullable(),
        })
        .nullable(),
      problem: requestProblem.nullable(),
    }),
    refusals: ['not_found', 'credential_expired', 'rate_limited'],
  },
} as const satisfies RouteTable<VaultCode, VaultAuth>;
