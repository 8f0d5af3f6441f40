import type { Requirement } from '../requirement.ts';

/** Services without MCP behind the same two tools. */
export const gatewayHttpServiceRequirements = [
  {
    id: 'gateway.config.http-services',
    source: 'decision 0031',
    behaviour:
      'HTTP_SERVICES is a JSON object of ids, each with openapi and server, or with endpoint, method, name, description and inputSchema, which PUT, PATCH and DELETE need; anything ' +
      'else, and an id of DOWNSTREAM_MCP_URLS, is a configuration error. Where it is set, DOWNSTREAM_MCP_URLS may be unset.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.endpoint',
    source: 'decision 0031',
    behaviour:
      'An x402 endpoint is one tool. What the owner does not say of it is taken from the 402 that it answers: "bazaar" of v2, outputSchema of v1. ' +
      'Arguments are path parameters, and the query of GET and DELETE or the JSON body of other methods.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.asked',
    source: 'decision 0031',
    behaviour:
      'What a GET endpoint takes is asked without payment when the gateway connects and again each minute. To other endpoints, and where inputSchema is given, nothing is sent but calls; whether they still live, a connection tells.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.credentials',
    source: 'issue 19, 3; decision 0041',
    behaviour:
      'A service of HTTP_SERVICES may name a credential of the vault and headers with {{CREDENTIAL.<field>}}: its calls leave through the enclave, only within allowed_urls of the credential. The gateway sees neither ' +
      'the value nor, in an answer, any form of it; arguments are not templates; another host by redirect is not asked; what the vault refuses is DOWNSTREAM_UNAVAILABLE, credential_refused.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.pays',
    source: 'decision 0031',
    behaviour:
      'An HTTP service is paid by the same pipeline as an MCP service: v2 asks in PAYMENT-REQUIRED or its body and gets PAYMENT-SIGNATURE, v1 asks in its ' +
      'body and gets X-PAYMENT; the settlement is read from PAYMENT-RESPONSE or X-PAYMENT-RESPONSE.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.arguments-stay-in-place',
    source: 'decision 0031',
    behaviour:
      'No argument reaches beyond its own place in a request: none becomes another path, query parameter or header, or stands beside what the owner fixed in the query. What would is INVALID_ARGUMENTS, and nothing is sent.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.openapi',
    source: 'decision 0031',
    behaviour:
      'Operations of an OpenAPI 3 document in JSON or YAML are tools, named by operationId: parameters of path, query and header by their names, the JSON body as body. What cannot be called so is left out. ' +
      'A document that cannot be read makes its service unavailable.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.yaml',
    source: 'issue 19, 3; decision 0031',
    behaviour:
      'A document in YAML 1.2, up to 2 MiB, offers what the JSON that it stands for does, with aliases and merges; a tag of its own, a key that comes twice, a second document, an anchor within itself, or aliases that come to more than 4 MiB make it none. ' +
      'It is read, as long JSON is, in a thread that is ended after 10 s or 256 MiB: a hostile one makes its own service unavailable, keeps no call, and has another document wait those 10 s at most. One that is as it was is not read again.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.server-host',
    source: 'decision 0031',
    behaviour:
      'Operations are called on the host of their document, or on the server that the owner names and below its path, below the first server there of their own, their path or the document; a server of another scheme than http and https, with a user name or a variable without a default is none; those on any other host, port or address are left out and their hosts logged, and a document that has no others is refused.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.references',
    source: 'decision 0031',
    behaviour:
      'Local $refs of a document are resolved, within 24 levels, 256 KiB a tool and 4 MiB a document with all words, and 1,024 operations are looked at: no document of 4 MiB keeps the gateway busy; what names a file or another host is never fetched, and a circle takes anything where it closes.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.pinned',
    source: 'decision 0031',
    behaviour:
      'Method and address of a tool of an HTTP service, and the place of each argument, are a part of what was accepted of it: another one is TOOL_DEFINITION_CHANGED. ' +
      'A call is sent as the tool that was judged, whatever has been read since.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.bad-demands',
    source: 'decision 0031',
    behaviour:
      'A 402 without a price, with one that makes no sense, with a header and a body of one version that differ, or for another operation of the service is PAYMENT_REQUIREMENT_INVALID; another first scheme ' +
      'or token, or a price above the maximum, is PAYMENT_UNSUPPORTED; each payee is judged anew, whatever discovery said. Nothing is paid.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.one-payment',
    source: 'decision 0031',
    behaviour:
      'A payment is sent to an HTTP service once, in the request that asked for it, also after a reconnect, and never follows a redirect: whatever answers it. A new price after it is not paid, and an error that tells of a settlement counts as paid.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.redirects',
    source: 'decision 0031',
    behaviour:
      'A redirect of an HTTP service is followed within its host, and only before anything is paid: another host, port or scheme is DOWNSTREAM_UNAVAILABLE and never asked.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.limits',
    source: 'decision 0031',
    behaviour:
      'Of an answer 16 MiB are read, of a 402 or an error 256 KiB, and nothing compressed. A stream of events is collected until it ends, is full or is late; an answer that was cut but tells of a settlement is kept as far as it came, marked truncated.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.answers',
    source: 'decision 0031',
    behaviour:
      'Text and JSON of an HTTP service are text content, images and audio their blocks, anything else a resource with its type. 429 and 502 to 504 are DOWNSTREAM_UNAVAILABLE, every other ' +
      'error DOWNSTREAM_TOOL_ERROR with httpStatus and its text, up to 4,000 characters.',
    status: 'tested',
  },
  {
    id: 'gateway.http-services.retry-after',
    source: 'issue 19, 3; issue 15, 15',
    behaviour:
      'Retry-After of an HTTP service, in seconds or as a date, is retryAfter in seconds: in downstreamFailure of DOWNSTREAM_UNAVAILABLE and of a payment whose outcome is unknown, in downstreamMeta of any other error. Anything else, and a header that comes twice, is not told.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
