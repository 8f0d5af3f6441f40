import { z } from 'zod';
import { cutShort, requestProblem, requestToSend } from '../vault/request-routes.ts';
import { binding, envelope } from './credential-parts.ts';

const id = z.string().min(1).max(512);

/** Sends one HTTP request with a credential in its headers. */
export const requestCommands = {
  /** Answers with what the service said, without the credential; the body is the service's. */
  'credential.request': {
    request: z.strictObject({
      /** The caller's, by which it may end it. */
      requestId: z.uuid(),
      binding,
      envelope,
      /** The URLs to which the credential may be sent; empty: none. */
      allowedUrls: z.array(z.string().max(2048)).max(64),
      actor: id,
      agentDid: id.optional(),
      send: requestToSend,
    }),
    requestBody: 'none',
    reply: z.strictObject({
      /** Id of the record that the credential was opened, or that it was refused. */
      auditId: id.nullable(),
      answer: z
        .strictObject({
          status: z.int(),
          headers: z.record(z.string(), z.string()),
          cut: cutShort.nullable(),
        })
        .nullable(),
      problem: z.union([requestProblem, z.enum(['outside_allowed_urls', 'busy'])]).nullable(),
    }),
    replyBody: 'bytes',
  },
  /** Nobody waits for its answer any more. */
  'credential.endRequest': {
    request: z.strictObject({ requestId: z.uuid() }),
    requestBody: 'none',
    reply: z.strictObject({}),
    replyBody: 'none',
  },
} as const;
