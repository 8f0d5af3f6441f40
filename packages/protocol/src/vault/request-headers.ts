/** Of the connection, of the message and of how it is passed on: no caller's to say (RFC 9110, 7.6). */
const refused =
  /^(host|content-.*|transfer-encoding|connection|te|trailer|upgrade|proxy-.*|expect|range|if-range|countersign-.*|idempotency-key|x-original-url|x-rewrite-url|x-http-method-override)$/i;

/** Of what is paid, and what is said of the way here. */
const noCredentials =
  /^(accept-encoding|forwarded|keep-alive|payment-.*|sign-in-with-x|via|x-forwarded-.*|x-payment.*)$/i;

/** Returns whether a header may not be sent in a request with a credential; what the body is may be said. */
export const isRefusedHeader = (name: string): boolean => refused.test(name) && !/^content-type$/i.test(name);

/** Returns whether a credential may not stand in this header. */
export const isNoCredentialHeader = (name: string): boolean => refused.test(name) || noCredentials.test(name);
