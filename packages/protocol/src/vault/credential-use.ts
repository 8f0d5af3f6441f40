import { z } from 'zod';

/** A place to which a secret is sent: a field of a form, or of a page without one. */
export const place = z.strictObject({
  /** The origin of the form's action; the page's own if a script sends it. */
  origin: z.string().min(1).max(512),
  /**
   * The path, with the parts of query and fragment that select a page (`?page=share`, `#/notes/new`) and no
   * others.
   */
  path: z.string().max(2048),
  /**
   * The form's method, such as `POST`; `UNSAID` if a script of the page sends it. A presentation has its own.
   */
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DIALOG', 'UNSAID']),
  /** Name of the field, else its id, else its type with its label; of a presentation the members that hold it, else `script`. */
  field: z.string().max(256),
});
export type Place = z.infer<typeof place>;

/** Who allowed what no person was asked about: it was a log-in form, as its own server made it. */
export const asLogin = 'log-in form';

/** An allowed place. `as_login`: allowed without a person, because it was a login form. */
export const knownPlace = place.extend({ as_login: z.boolean().optional() });
export type KnownPlace = z.infer<typeof knownPlace>;

export const isSamePlace = (one: Place, other: Place): boolean =>
  one.origin === other.origin &&
  one.path === other.path &&
  one.method === other.method &&
  one.field === other.field;

/** A place where a credential was allowed, so that nobody is asked about it again. */
export const credentialUse = z.object({
  id: z.uuid(),
  ...place.shape,
  /** The person who agreed, or `log-in form`: it was one, as its own server made it. */
  allowed_by: z.string(),
  created_at: z.iso.datetime(),
});
export type CredentialUse = z.infer<typeof credentialUse>;
