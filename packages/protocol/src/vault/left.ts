import { z } from 'zod';

/** The kinds of page content that can leave a session. */
export const leavings = [
  'extract',
  'script_result',
  'export',
  'screenshot',
  /** The page as it was, for a person who is asked. */
  'approval_picture',
  'live_view',
] as const;
export type Leaving = (typeof leavings)[number];

export const mediaType = z.enum(['text/plain', 'text/csv', 'application/json', 'image/png']);
export type MediaType = z.infer<typeof mediaType>;

/** Lower-case hex of 32 bytes. */
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const bytes = z.int().min(0);

/**
 * What left, for whoever got it: a text as UTF-8, JSON as the text that stands in the answer, a picture as PNG. The audit record
 * `content_left` has no `sha256`, which a reader of the log could try guesses against, but SHA-256(salt ‖ the bytes).
 */
export const leftOnce = z.strictObject({
  /** Id of the `content_left` record. */
  audit_id: z.string(),
  what: z.enum(leavings).exclude(['live_view']),
  media_type: mediaType,
  /** The page's address without its query, masked. Null before the first page. */
  page: z.string().nullable(),
  bytes,
  /** SHA-256 of exactly these bytes. */
  sha256: hex,
  salt: hex,
});
export type LeftOnce = z.infer<typeof leftOnce>;

/** Pictures of the live view that one watcher got so far: each that was another than the one before. */
export const leftLive = z.strictObject({
  /** Id of the newest record, which has the digests of up to one minute of pictures. */
  audit_id: z.string(),
  what: z.literal('live_view'),
  media_type: z.literal('image/png'),
  page: z.string().nullable(),
  pictures: z.int().min(1),
  bytes,
});
export type LeftLive = z.infer<typeof leftLive>;

export const whatLeft = z.union([leftOnce, leftLive]);
export type WhatLeft = z.infer<typeof whatLeft>;

/** The digest of an event `frame`'s picture, by which it is found in the records of the live view. */
export const frameDigest = { sha256: hex, salt: hex };
