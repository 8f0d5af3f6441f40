import type { Requirement } from '../requirement.ts';

/** How faithfully the gateway stands between an agent and its services. */
export const gatewayProxyRequirements = [
  {
    id: 'gateway.input.unknown-field',
    source: 'page 1, Tools',
    behaviour:
      'A field that a tool does not have is refused before anything is sent, and named with the nearest field that ' +
      'it has: INVALID_ARGUMENTS of call_service_tool, -32602 of list_gateway_services.',
    status: 'tested',
  },
  {
    id: 'gateway.input.null-is-absent',
    source: 'page 1, Tools',
    behaviour: 'null for an optional field counts as absent.',
    status: 'tested',
  },
  {
    id: 'gateway.input.missing-property',
    source: 'page 1, Tools',
    behaviour: "INVALID_ARGUMENTS names the property that the tool's arguments lack.",
    status: 'tested',
  },
  {
    id: 'gateway.call.max-amount',
    source: 'page 1, Tools',
    behaviour:
      'maxAmount (decimal text, optional) caps the price of a call exactly; a dry run honours it too. What is no plain ' +
      'decimal text is INVALID_ARGUMENTS.',
    status: 'tested',
  },
  {
    id: 'gateway.code.price-above-maximum',
    source: 'page 1, Envelope codes',
    behaviour:
      'A price above maxAmount: stage payment_required, code PRICE_ABOVE_MAXIMUM; nobody is looked up, nothing is ' +
      'signed, sent or reported.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.downstream-error',
    source: 'page 1, Tools',
    behaviour:
      'A JSON-RPC error of a tool stands in detail.downstreamError with its code, message and data, and nowhere else.',
    status: 'tested',
  },
  {
    id: 'gateway.envelope.detail.downstream-structured',
    source: 'page 1, Tools',
    behaviour:
      'structuredContent and _meta of a result stand in detail.downstreamStructuredContent and detail.downstreamMeta as ' +
      'they came, before and after a payment; both are absent where the tool gave none.',
    status: 'tested',
  },
  {
    id: 'gateway.call.content-blocks',
    source: 'page 1, Tools',
    behaviour:
      'image, audio, resource and resource_link blocks follow the envelope in content as blocks of their own kind, each ' +
      'once; a block that MCP does not know stays in the envelope.',
    status: 'tested',
  },
  {
    id: 'gateway.tools.schema-subsets',
    source: 'page 1, Tools',
    behaviour:
      "The inputSchemas of both tools are in the subsets that OpenAI's strict mode, Gemini's function declarations and " +
      'Claude accept; no schema has a keyword that Gemini does not know.',
    status: 'tested',
  },
  {
    id: 'gateway.call.arguments-json',
    source: 'page 1, Tools',
    behaviour:
      "argumentsJson is JSON text of the tool's arguments, for APIs whose strict mode knows no free-form object; beside " +
      'arguments that are not empty it is refused.',
    status: 'tested',
  },
  {
    id: 'gateway.list.short-form',
    source: 'page 1, Tools',
    behaviour:
      'A list of 40 kB or more is shown in short form unless detail says otherwise: name, first sentence and price of ' +
      'each tool, and a note that says how to get the rest. 300 tools give under 60 kB, all of them named.',
    status: 'tested',
  },
  {
    id: 'gateway.list.detail',
    source: 'page 1, Tools',
    behaviour:
      'detail "names", "summary" or "full" says how much of each tool is shown; limit and nextCursor give pages that ' +
      'together name every tool once.',
    status: 'tested',
  },
  {
    id: 'gateway.list.prices',
    source: 'page 1, Tools',
    behaviour:
      'A listed tool tells whether it is paid, its price and currency, and whence: its annotations, its _meta, an x402 ' +
      'catalogue, or what it asked for when it was last called, which counts most.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.prices',
    source: 'issue 15, 15; issue 19, 4',
    behaviour:
      'Where a tool of a configured service names no price itself, the first catalogue of DISCOVERY_URLS that lists it by ' +
      'address and name tells it, as "discovery" in every form of the list.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.no-text',
    source: 'issue 19, 4',
    behaviour:
      'Of a catalogue nothing reaches an agent but, of a configured service, an amount in a token that is paid with and by our ' +
      'name of it; and, of what a query finds, its https address without its query, tool, method, price and payee, a name of at ' +
      'most 80 and a description of at most 240 characters: each a line in which everything can be seen.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.proposes',
    source: 'issue 19, 4',
    behaviour:
      'A query over all services also finds, as discovered, HTTP resources and MCP tools that x402 catalogues list and that ' +
      'are not configured, by whatever scheme and on whichever host of theirs; a list without query, of one service or of a later page has none of them.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.registry',
    source: 'issue 19, 4',
    behaviour:
      'An address of DISCOVERY_URLS whose path ends in /v0/servers, or another version, is an MCP registry: the latest active ' +
      'versions of servers that can be reached by HTTP are found. It is read by its cursor, under the limits of a catalogue.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.ranked',
    source: 'issue 19, 4',
    behaviour:
      'At most ten are told, in which every word of the query stands: by score, then by address. Each tells its score and where ' +
      'the words stand, and discoveredNote how that counts. A catalogue is never told what was looked for.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.not-called',
    source: 'issue 19, 4',
    behaviour:
      'What was discovered can be called by nothing that a catalogue says of it, until it is configured.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.lies',
    source: 'issue 19, 4',
    behaviour:
      'A price of a catalogue changes nothing of what is called or paid: maxAmount and dryRun go by what the tool itself ' +
      'says or asks for.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.whole',
    source: 'decision 0004',
    behaviour:
      'A catalogue is read to its end, up to 50 pages, 20,000 items and 32 MiB, whatever number of items a page of it has and ' +
      'whether or not it heeds limit and offset or tells a total; an item of more than 64 KiB is passed over. After 20,000 items the ' +
      'reading ends with what it has; where no total is told, a page of more than was asked for is the last, unless ' +
      'it says that its limit is that many.',
    status: 'tested',
  },
  {
    id: 'gateway.discovery.harmless',
    source: 'issue 19, 4',
    behaviour:
      'A catalogue that is away, larger than what is read, or no catalogue delays and fails no call and no list; GET ' +
      '/ready tells it, and the gateway is ready all the same.',
    status: 'tested',
  },
  {
    id: 'gateway.list.instructions',
    source: 'page 1, Tools',
    behaviour: 'A listed service shows the instructions that it gives, cleaned; a text that is cut says so.',
    status: 'tested',
  },
  {
    id: 'gateway.list.stays-unavailable',
    source: 'page 1, Tools',
    behaviour:
      'A service that fails is listed as unavailable, with error and failure, until it is back; it is tried again by ' +
      'itself, and a look at the list starts no connection.',
    status: 'tested',
  },
  {
    id: 'gateway.code.downstream-unavailable.reason',
    source: 'page 1, Envelope codes',
    behaviour:
      'DOWNSTREAM_UNAVAILABLE carries its reason in detail.downstreamFailure: the HTTP status of a refusal or redirect, ' +
      'retryAfter of a 429, refused for a closed port. What the operator has to correct is said as such.',
    status: 'tested',
  },
  {
    id: 'gateway.call.progress-prolongs',
    source: 'page 1, Tools',
    behaviour:
      'An unpaid call whose tool reports progress gets DOWNSTREAM_TIMEOUT_MS anew with each report, at most ten times as ' +
      'much in all.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.resumes-stream',
    source: 'page 1, Tools',
    behaviour:
      'A stream that a service ends before the answer, having named a place in it, is resumed with Last-Event-ID after ' +
      'the time that the service says.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.redirect-within-host',
    source: 'page 1, Tools',
    behaviour:
      'A 307 or 308 within the same host is followed; to another host, port or scheme it is not, and that is named.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.reason-phrase',
    source: 'page 1, Tools',
    behaviour:
      'The reason phrase of an answer may be in any script: over SSE too, it is read like any other.',
    status: 'tested',
  },
  {
    id: 'gateway.downstream.nulls',
    source: 'page 1, Tools',
    behaviour:
      'null for nextCursor, for a description, annotations or outputSchema of a tool, and for parts of a result counts as ' +
      'absent.',
    status: 'tested',
  },
  {
    id: 'gateway.compliance.wrong-key',
    source: 'page 1, Envelope codes; page 1, Where it listens',
    behaviour:
      'A COMPLIANCE_API_KEY that the dashboard does not know is told as a configuration error: COMPLIANCE_NOT_CONFIGURED, ' +
      'and by /ready.',
    status: 'tested',
  },
  {
    id: 'gateway.decision.not-looked-up',
    source: 'document 1, ComplianceDecision',
    behaviour:
      'Without an answer to a look-up kycStatus, kytDecision and kytRiskLevel are "unknown" and kytRiskScore is 100: the ' +
      'types that the envelope gives.',
    status: 'tested',
  },
  {
    id: 'gateway.tools.descriptions',
    source: 'page 1, Tools',
    behaviour:
      'The description of each tool says in at most 1,200 characters when to use which field, with one example; that of ' +
      'call_service_tool names detail.downstreamContent, idempotencyKey, dryRun, maxAmount and the approval.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
