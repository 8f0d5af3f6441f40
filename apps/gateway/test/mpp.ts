import type { ServerResponse } from 'node:http';
import { canonicalText } from '../src/canonical.ts';
import { merchant, requirement } from './samples.ts';

/** What a charge of these tests asks for. */
export const charge = (changes: object = {}, details: object = {}) => ({
  amount: requirement.amount,
  currency: requirement.asset,
  recipient: merchant.address as string,
  methodDetails: { chainId: 84532, credentialTypes: ['authorization'], decimals: 6, ...details },
  ...changes,
});

export const requestText = (value: unknown): string =>
  Buffer.from(canonicalText(value)).toString('base64url');

/** A challenge as its parameters; `undefined` leaves one out. */
export const challenge = (changes: Readonly<Record<string, string | undefined>> = {}) => ({
  id: 'a-challenge',
  realm: '127.0.0.1',
  method: 'evm',
  intent: 'charge',
  request: requestText(charge()),
  expires: new Date(Date.now() + 300_000).toISOString(),
  ...changes,
});

/** The header that says them. */
export const headerFor = (...challenges: readonly Readonly<Record<string, string | undefined>>[]): string =>
  challenges
    .map((parameters) => {
      const said = Object.entries(parameters).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}="${value}"`],
      );
      return `Payment ${said.join(', ')}`;
    })
    .join(', ');

/** Answers 402 with these challenges. */
export const ask =
  (header: string, more: Readonly<Record<string, string>> = {}, body = '') =>
  (response: ServerResponse): void =>
    void response.writeHead(402, { 'www-authenticate': header, ...more }).end(body);

export const receiptText = (changes: object = {}): string =>
  requestText({
    method: 'evm',
    status: 'success',
    reference: `0x${'ab'.repeat(32)}`,
    timestamp: '2026-11-21T12:00:00.000Z',
    ...changes,
  });
