import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ServerOptions } from 'node:https';
import type { ControlPlaneConfig } from './config.ts';

/** TLS 1.3 alone, with exactly two suites; a client certificate is asked for, not required (spec: control-plane.tls). */
export function tlsOptions({ cert, key, clientCa }: ControlPlaneConfig['tls']): ServerOptions {
  const options: ServerOptions = {
    cert,
    key,
    ca: clientCa,
    minVersion: 'TLSv1.3',
    maxVersion: 'TLSv1.3',
    ciphers: 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256',
    requestCert: true,
    rejectUnauthorized: false,
  };
  try {
    createSecureContext({ cert, key, ca: clientCa });
  } catch {
    throw new Error('CONTROL_TLS_CERT, CONTROL_TLS_KEY and CONTROL_TLS_CLIENT_CA do not go together');
  }
  return options;
}

/** When the server's certificate ends. Read once `tlsOptions` has found that it is one. */
export const tlsValidUntil = ({ cert }: Pick<ControlPlaneConfig['tls'], 'cert'>): string =>
  new Date(new X509Certificate(cert).validTo).toISOString();
