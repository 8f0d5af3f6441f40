import { usdcAddress } from '@countersign/contracts/addresses';
import { parseAddress } from '@countersign/protocol/address';
import { chainIdOf } from '@countersign/protocol/gateway/x402';
import { fail, ok, type Result } from '@countersign/protocol/result';
import { type Env, exportsTraces, integer, text, url, Variables } from '@countersign/service/config';
import type { Customer } from '../demo-shop/shop.ts';
import { type PrivateKey, privateKey } from '../private-key.ts';

export type SampleServicesConfig = {
  readonly host: string;
  readonly quotesPort: number;
  readonly archivePort: number;
  readonly merchantKey: PrivateKey;
  readonly facilitatorUrl: URL;
  readonly network: string;
  readonly asset: string;
  /** Null: no shop. */
  readonly shop: { readonly port: number; readonly customer: Customer } | null;
  readonly exportsTraces: boolean;
};

export const sampleServicesHelp = `Usage: countersign sample-services

Two MCP services whose tools are paid with x402: "quotes" (streamable HTTP, at /mcp) and "archive"
(HTTP+SSE, at /sse). Their data is made up; the payments are real, on whatever chain the facilitator
settles. If SHOP_PASSWORD is set, it also runs a shop: a web site with a login form and orders
behind it, where agents can use a credential.

Variables:
  MERCHANT_PRIVATE_KEY  required; signs the carts and receives the payments: 0x and 64 hex digits
  FACILITATOR_URL       required; verifies and settles the payments, http:// or https://
  SAMPLE_HOST           address to listen on (default 127.0.0.1)
  QUOTES_PORT           port of "quotes" (default 4026; 0 for a free port)
  ARCHIVE_PORT          port of "archive" (default 4027; 0 for a free port)
  SAMPLE_NETWORK        chain of the payments (default eip155:84532)
  SAMPLE_ASSET          address of the USDC contract there (default Base Sepolia's)
  SHOP_PORT             port of the shop (default 4029; 0 for a free port)
  SHOP_USERNAME         its one customer (default ada.morris)
  SHOP_PASSWORD         the customer's password (default none: no shop)
  LOG_LEVEL             trace, debug, info, warn, error (default info)
  OTEL_EXPORTER_OTLP_ENDPOINT  collector of OpenTelemetry traces (default none)

Examples:
  MERCHANT_PRIVATE_KEY=0x… FACILITATOR_URL=http://127.0.0.1:4024 countersign sample-services
  SHOP_PASSWORD=open-sesame countersign --env merchant.env sample-services
`;

/** Reads the whole configuration, or tells every error in it. */
export function readSampleServicesConfig(env: Env): Result<SampleServicesConfig, readonly string[]> {
  const variables = new Variables(env);
  const port = integer(0, 65_535);
  const shop = {
    port: variables.withDefault('SHOP_PORT', 4029, port),
    username: variables.withDefault('SHOP_USERNAME', 'ada.morris', text),
    password: variables.withDefault('SHOP_PASSWORD', null, text),
  };
  return variables.finish({
    host: variables.withDefault('SAMPLE_HOST', '127.0.0.1', text),
    quotesPort: variables.withDefault('QUOTES_PORT', 4026, port),
    archivePort: variables.withDefault('ARCHIVE_PORT', 4027, port),
    merchantKey: variables.required('MERCHANT_PRIVATE_KEY', privateKey, 'the key whose address is paid'),
    facilitatorUrl: variables.required('FACILITATOR_URL', url('http:', 'https:'), 'an x402 facilitator'),
    network: variables.withDefault('SAMPLE_NETWORK', 'eip155:84532', network),
    asset: variables.withDefault('SAMPLE_ASSET', usdcAddress, address),
    shop:
      shop.password === null
        ? null
        : { port: shop.port, customer: { username: shop.username, password: shop.password } },
    exportsTraces: exportsTraces(variables),
  });
}

const network = (value: string): Result<string, string> =>
  chainIdOf(2, value) === null ? fail('must be a chain such as eip155:84532') : ok(value);

const address = (value: string): Result<string, string> => {
  const parsed = parseAddress(value);
  return parsed === null ? fail('must be an address: 0x and 40 hex digits') : ok(parsed);
};
