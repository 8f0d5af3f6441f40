import { gatewayResource } from '@countersign/protocol/dashboard/oauth';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { isUrl } from '@countersign/protocol/url';
import type { Variables } from '@countersign/service/config';

/** OAuth at `/mcp`: what this gateway is to clients, and who gives them tokens. */
export type AccessConfig = {
  /** Origin at which clients reach this gateway. */
  readonly publicUrl: URL;
  /** The URL of `/mcp` there: what a token must be for (RFC 8707). */
  readonly resource: string;
  /** The dashboard as clients reach it: who must have issued a token. */
  readonly issuer: string;
};

/** Null where neither variable is set: then the gateway knows its own tokens alone. */
export function readAccessConfig(vars: Variables): AccessConfig | null {
  const publicUrl = vars.optional('GATEWAY_PUBLIC_URL', publicOrigin);
  const issuer = vars.optional('OAUTH_ISSUER', publicOrigin);
  if (publicUrl === undefined || issuer === undefined) {
    if (publicUrl !== undefined)
      vars.refuse('OAUTH_ISSUER', 'is required with GATEWAY_PUBLIC_URL: the public URL of the dashboard');
    if (issuer !== undefined)
      vars.refuse('GATEWAY_PUBLIC_URL', 'is required with OAUTH_ISSUER: where clients reach this gateway');
    return null;
  }
  return { publicUrl, resource: new URL('/mcp', publicUrl).href, issuer: issuer.origin };
}

/** A client acts as an agent, and the owner is asked at the dashboard. */
export function refuseUnownedAccess(
  vars: Variables,
  access: AccessConfig | null,
  owned: { readonly ownerAddress: unknown; readonly compliance: unknown },
): void {
  if (access === null) return;
  if (owned.ownerAddress === null)
    vars.refuse(
      'OWNER_ADDRESS',
      'is required with OAUTH_ISSUER: a client acts as an agent wallet of its owner',
    );
  if (owned.compliance === null)
    vars.refuse('COMPLIANCE_API_KEY', 'is required with OAUTH_ISSUER, and COMPLIANCE_BASE_URL with it');
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Tokens travel there: in the clear only on this machine. */
function publicOrigin(value: string): Result<URL, string> {
  const wanted =
    'must be an origin such as https://gateway.example.com, without a path; http on loopback alone';
  if (!isUrl(value)) return fail(wanted);
  const url = new URL(value);
  const isOrigin = `${url.origin}/` === url.href && gatewayResource.safeParse(`${url.origin}/mcp`).success;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
  return isOrigin && isSafe ? ok(url) : fail(wanted);
}
