/** Headers of the connection, the message and its forwarding, which no caller may set (RFC 9110, 7.6). */
const refused =
  /^(host|content-.*|transfer-encoding|connection|te|trailer|upgrade|proxy-.*|expect|range|if-range|countersign-.*|idempotency-key|x-original-url|x-rewrite-url|x-http-method-override)$/i;

/** Headers of payment and of forwarding, which never carry a credential. */
const noCredentials =
  /^(accept-encoding|forwarded|keep-alive|payment-.*|sign-in-with-x|via|x-forwarded-.*|x-payment.*)$/i;

/** Returns whether a header may not be sent in a request with a credential; what the body is may be said. */
export const isRefusedHeader = (name: string): boolean => refused.test(name) && !/^content-type$/i.test(name);

/** Returns whether a credential may not stand in this header. */
export const isNoCredentialHeader = (name: string): boolean => refused.test(name) || noCredentials.test(name);
