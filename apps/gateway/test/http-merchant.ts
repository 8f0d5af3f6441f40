import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@countersign/service/logger';
import { readGatewayConfig } from '../src/config.ts';
import { connectServices, type Services } from '../src/downstream/services.ts';
import { type DocumentReader, readText } from '../src/http-services/documents/read-text.ts';
import type { LoginDashboard } from '../src/http-services/sign-in.ts';
import { callAndPay } from '../src/payment/call-and-pay.ts';
import type { Pins } from '../src/pinning/pins.ts';
import type { PaymentEntry } from '../src/ports/payment-entry.ts';
import type { GatewayPorts } from '../src/ports/gateway-ports.ts';
import { goodAnswers, portsWith, settled } from './paying-ports.ts';
import { address, call, merchant, required } from './samples.ts';

export type Seen = {
  readonly url: string;
  readonly method: string;
  readonly paid: string | null;
  /** What stood in it, where that is the answer to a challenge. */
  readonly payment?: string;
  /** The proof of who asks, as it was sent. */
  readonly signedIn?: Readonly<Record<string, unknown>>;
  readonly body: string;
};

type Handle = (request: Seen, response: ServerResponse) => void;

export type HttpMerchant = {
  readonly origin: string;
  readonly seen: Seen[];
  readonly stop: () => Promise<void>;
};

/** A service on bare HTTP that answers as its test says. */
export async function openMerchant(handle: Handle): Promise<HttpMerchant> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const { url = '', method = '' } = request;
      const now = {
        url,
        method,
        paid: paymentIn(request),
        ...proofIn(request),
        ...credentialIn(request),
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(now);
      handle(now, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function credentialIn({ headers }: IncomingMessage): Pick<Seen, 'payment'> {
  const payment = headers.authorization ?? headers['payment-authorization'];
  return typeof payment === 'string' ? { payment } : {};
}

function proofIn({ headers }: IncomingMessage): Pick<Seen, 'signedIn'> {
  const header = headers['sign-in-with-x'];
  return typeof header === 'string'
    ? { signedIn: JSON.parse(Buffer.from(header, 'base64').toString()) as Readonly<Record<string, unknown>> }
    : {};
}

/** Which header has brought a payment. */
const paymentIn = ({ headers }: IncomingMessage): string | null =>
  ['payment-signature', 'x-payment', 'authorization', 'payment-authorization'].find(
    (name) => headers[name] !== undefined,
  ) ?? null;

export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** What a facilitator says of a payment of these tests that it has settled. */
export const settlementOn = (network: string): string => base64({ ...settledResponse, network });

const settledResponse = settled.kind === 'result' ? (settled.settlement as object) : {};

export const settlement = base64(settledResponse);

/** The usual answer to a call without a payment: v2, in the header. */
export function askFor(response: ServerResponse, requirement: unknown = required()): void {
  response
    .writeHead(402, { 'payment-required': base64(requirement), 'content-type': 'application/json' })
    .end('{}');
}

/** The usual answer to a call with one. */
export function sell(response: ServerResponse, body = '{"sold":true}'): void {
  response.writeHead(200, { 'payment-response': settlement, 'content-type': 'application/json' }).end(body);
}

const receipts = {
  configuration: { hash: '' },
  append: async () => null,
} as unknown as GatewayPorts['receipts'];
const log = createLogger('gateway', 'silent');

/** Documents without hostility are read in the test's own thread. */
export const readHere: DocumentReader = async (text) => readText(text);

/** A dashboard at which people log in elsewhere, and that knows of no mandate. */
export const dashboardSaying = (changes: Partial<LoginDashboard> = {}): LoginDashboard => ({
  publicUrl: async () => new URL('https://pay.example'),
  activeMandate: async () => ({ kind: 'never' }),
  ...changes,
});

/** The payment pipeline of a gateway with these HTTP services; the outside world is as good as it may be, but knows one merchant. */
export async function gatewayWith(
  services: object,
  env: Record<string, string> = {},
  pins: Pins | null = null,
  dashboard = dashboardSaying(),
) {
  const read = readGatewayConfig(
    {
      EVM_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
      HTTP_SERVICES: JSON.stringify(services),
      DOWNSTREAM_CONNECT_RETRIES: '1',
      PAYMENT_NETWORKS: 'eip155:84532',
      ...env,
    },
    'stdio',
  );
  if (!read.ok) throw new Error(read.error.join('; '));
  const connected: Services = connectServices(
    read.value,
    log,
    pins,
    { priceOf: () => null },
    dashboard,
    readHere,
  );
  const ports = portsWith(await goodAnswers(), receipts);
  const isKnown = (party: string): boolean => party === address(merchant) || party === ports.wallet.address;
  const compliance: GatewayPorts['compliance'] = {
    kyc: async (party, span) => (isKnown(party) ? ports.compliance.kyc(party, span) : { kind: 'not-found' }),
    kyt: ports.compliance.kyt,
  };
  return {
    services: connected,
    /** One call as an agent makes it. */
    call: (args: Readonly<Record<string, unknown>> = {}, toolName = 'buy', serviceId = 'shop') =>
      callAndPay(
        { ...ports, compliance, services: connected },
        call({ serviceId, toolName, arguments: args }),
      ),
    /** One more call of what was paid for by this very key. */
    callAgain: (earlier: PaymentEntry) =>
      callAndPay(
        {
          ...ports,
          compliance,
          services: connected,
          state: { ...ports.state, paymentOf: async () => earlier },
          wallet: { ...ports.wallet, derive: () => earlier.nonce as `0x${string}` },
        },
        call({ serviceId: 'shop', toolName: 'buy', idempotencyKey: 'one purchase' }),
      ),
    stop: () => connected.close(),
  };
}

/** A gateway with this endpoint of a merchant as its one tool. */
export const shopAt = (
  origin: string,
  env: Record<string, string> = {},
  more: object = {},
  dashboard = dashboardSaying(),
) => gatewayWith({ shop: { endpoint: `${origin}/buy`, name: 'buy', ...more } }, env, null, dashboard);
