import { fail, ok, type Result } from '@countersign/protocol/result';
import { url } from '@countersign/service/config';
import { z } from 'zod';
import { isHostSafe, serviceIdPattern } from '../service-address.ts';
import { credentialHeaders, credentialId } from './credential-setting.ts';
import { methods, type Method } from './operation.ts';

/** A credential that the vault puts into headers of each request. */
export type CredentialSetting = {
  readonly id: string;
  /** Headers in which `{{CREDENTIAL.<field>}}` stands for a field of the credential. */
  readonly headers: Readonly<Record<string, string>>;
};

type Setting = {
  readonly serviceId: string;
  /** Null: who asks is not said. */
  readonly credential: CredentialSetting | null;
  /** The URL of the document, or of the endpoint, in whose path `{name}` stands for an argument. */
  readonly url: URL;
};
export type DocumentSetting = Setting & {
  readonly kind: 'openapi';
  /** The base URL of the operations; null: as the document says, on its own host. */
  readonly server: URL | null;
};
export type EndpointSetting = Setting & {
  readonly kind: 'endpoint';
  readonly method: Method;
  readonly name: string | null;
  readonly description: string | null;
  /** Null: what the endpoint tells of itself when it asks for money. */
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
};
export type HttpServiceSetting = DocumentSetting | EndpointSetting;

/**
 * Returns the addresses of a service: its endpoint, or its document and its operations, which may be on
 * another host.
 */
export const addressesOf = (setting: HttpServiceSetting): readonly URL[] =>
  setting.kind === 'openapi' && setting.server !== null ? [setting.url, setting.server] : [setting.url];

const httpUrl = z.string().transform((text, context) => {
  const read = url('http:', 'https:')(text);
  if (read.ok && isHostSafe(read.value)) return read.value;
  context.addIssue({ code: 'custom', message: 'no URL' });
  return z.NEVER;
});

const isRisky = (method: Method | undefined): boolean =>
  method !== undefined && !['GET', 'POST'].includes(method);

const withCredential = { credential: credentialId.optional(), headers: credentialHeaders.optional() };

const setting = z.union([
  z.strictObject({ openapi: httpUrl, server: httpUrl.optional(), ...withCredential }),
  z
    .strictObject({
      endpoint: httpUrl,
      method: z.enum(methods).optional(),
      name: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/)
        .optional(),
      description: z.string().optional(),
      inputSchema: z.looseObject({ type: z.literal('object') }).optional(),
      ...withCredential,
    })
    // Without it the endpoint is asked what it takes, and it may be one that does its work for nothing.
    .refine(({ method, inputSchema }) => inputSchema !== undefined || !isRisky(method)),
]);

const wanted = 'must be a JSON object: {"id": {"openapi": "https://…"}, "id2": {"endpoint": "https://…"}}';

/** Reads `HTTP_SERVICES`. A value is never repeated: it may be a secret. */
export function httpServices(text: string): Result<readonly HttpServiceSetting[], string> {
  const services = objectIn(text);
  if (services === null) return fail(wanted);
  const read: HttpServiceSetting[] = [];
  for (const [serviceId, value] of Object.entries(services)) {
    if (!serviceIdPattern.test(serviceId))
      return fail('must name each service with 1 to 64 letters, digits, ".", "_" or "-"');
    const parsed = setting.safeParse(value);
    if (!parsed.success)
      return fail(
        `must give "${serviceId}" either openapi and server, or endpoint, method, name, description and inputSchema (needed for PUT, PATCH and DELETE); with both, credential (an id of the vault) and headers, of which each has a placeholder: {"authorization": "Bearer {{CREDENTIAL.key}}"}`,
      );
    if ((parsed.data.credential === undefined) !== (parsed.data.headers === undefined))
      return fail(`must give "${serviceId}" both credential and headers, or neither`);
    read.push(settingOf(serviceId, parsed.data));
  }
  return ok(read);
}

function settingOf(serviceId: string, value: z.infer<typeof setting>): HttpServiceSetting {
  const { credential: id, headers = {} } = value;
  const credential = id === undefined ? null : { id, headers };
  if ('openapi' in value)
    return { kind: 'openapi', serviceId, credential, url: value.openapi, server: value.server ?? null };
  const { endpoint, method = 'GET', name = null, description = null, inputSchema = null } = value;
  return { kind: 'endpoint', serviceId, credential, url: endpoint, method, name, description, inputSchema };
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
