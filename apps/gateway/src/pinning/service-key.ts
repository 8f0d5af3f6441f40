import { createHash } from 'node:crypto';
import type { DownstreamConfig } from '../config.ts';

/**
 * Names a service by what the owner wrote: a name that it gives itself could change, and its tools would be new.
 * Without a fixed id that is its address, hashed, for an address may hold a key.
 */
export const serviceKey = ({ serviceId, url }: DownstreamConfig): string =>
  serviceId === null ? `url:${createHash('sha256').update(url.href).digest('hex')}` : `id:${serviceId}`;
