import type { Requirement } from '../requirement.ts';

/** Browser sessions: their life, approvals and events. */
export const vaultSandboxRequirements = [
  {
    id: 'vault.sandbox.create',
    source: 'document 3, Endpoints A; page 3, Sandbox sessions',
    behaviour:
      'POST /api/v1/sandbox/sessions {credential_ids, task, allowed_urls, ...} with credential:use ' +
      'answers 201 session.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.create.optional',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'create takes start_url, agent_did, ttl_seconds (900 if absent) and approval (auto, human or never; ' +
      'auto if absent).',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session.fields',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'A session has id, status, task, allowed_urls, credential_ids, agent_did, created_at, expires_at and ' +
      'current_url.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session.status',
    source: 'page 3, Sandbox sessions',
    behaviour: 'status of a session is active, paused, closed or expired.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session.expires',
    source: 'page 3, Sandbox sessions',
    behaviour: 'After ttl_seconds a session is expired and its browser gone.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.list-and-get',
    source: 'document 3, Endpoints A',
    behaviour:
      'GET /api/v1/sandbox/sessions lists sessions and GET .../sessions/:id answers one, with ' +
      'credential:read.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.pause-and-resume',
    source: 'document 3, Endpoints A; page 3, Sandbox sessions',
    behaviour:
      'POST .../pause answers the session in status paused, POST .../resume in status active; both need ' +
      'credential:use.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.pause.person',
    source: 'document 3, What the service does; docs/decisions/0012',
    behaviour:
      'What a log-in of a person paused only such a log-in resumes: to a generated token it is 403 insufficient_scope, and ' +
      'goes on to be paused. A person’s pause takes the place of an agent’s. A session that is paused says paused_by: person or agent.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.close',
    source: 'document 3, Endpoints A',
    behaviour:
      'DELETE /api/v1/sandbox/sessions/:id closes the session and destroys its browser; needs ' +
      'credential:use.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.closed-refuses',
    source: 'page 3, Sandbox sessions',
    behaviour: 'execute on a paused or closed session is 400 invalid_request.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.tenant-isolation',
    source: 'document 3, What the service does 5',
    behaviour: 'A session of another tenant is 404 not_found.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.allowed-urls.form',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'allowed_urls are exact origins with an optional path prefix such as https://shop.example/account/*; ' +
      'a wildcard host only as leftmost label; else 400.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.allowed-urls.spellings',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'No spelling of a URL (encoded or doubly encoded path, dots, backslash, port, user, other scheme) ' +
      'gets past allowed_urls.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.allowed-urls.network-layer',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A request of any frame, worker or redirect outside allowed_urls never reaches its target.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.allowed-urls.side-channels',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'WebSocket, WebRTC, DNS prefetch, service workers and downloads reach nothing outside allowed_urls.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.execute',
    source: 'document 3, Endpoints A; page 3, Sandbox sessions',
    behaviour:
      'POST .../execute {operation_type, selector, value} with credential:use answers 200 ' +
      '{operation_id, status, result, review, audit_id, duration_ms}.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.placeholder',
    source: 'document 3, What the service does 2; document 3, Endpoints A, Execute rules',
    behaviour:
      '{{CREDENTIAL.<field>}} in value is replaced inside the enclave; the login form of the site receives ' +
      'the real value.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.screenshot',
    source: 'document 3, Endpoints A; page 3, Sandbox sessions',
    behaviour:
      'POST .../screenshot {full_page?} with credential:use answers {image (base64 PNG), width, ' +
      'height, audit_id}.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.export',
    source: 'document 3, Endpoints A; page 3, Sandbox sessions',
    behaviour:
      'POST .../export {selector?, format: json, csv or text} with credential:use answers {data, ' +
      'audit_id}.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.auto',
    source: 'page 3, Sandbox sessions',
    behaviour: 'With approval auto the review engine decides when a person is asked.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.human',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'With approval human every fill, form submission and script waits for a person: status ' +
      'pending_approval.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.never',
    source: 'page 3, Sandbox sessions',
    behaviour: 'With approval never what a person would be asked about is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.decide',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'POST .../approvals/:operation_id {decision: approve or reject} runs or refuses the waiting operation.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.same-page',
    source: 'issue 14, What must be true 5',
    behaviour:
      'A click, key, choice or script that a person agreed to is rejected where its target or what its form holds is another by then, or the agent did ' +
      'anything else meanwhile that nobody agreed to, scrolling and pictures of the whole page too; a fill depends on its field alone.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.who',
    source: 'issue 14, 7',
    behaviour:
      'Approving needs the log-in of the account that opened the session or of an admin; a generated token never ' +
      'approves, whatever its scopes and whoever made it.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.channel',
    source: 'document 3, Endpoints A, Execute rules; page 3, Sandbox sessions',
    behaviour:
      'GET .../events is a WebSocket that pushes progress: operation.started, .reviewed, .finished, ' +
      'approval.requested, .received, session.state and frame, each with at.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.authentication',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The WebSocket takes the token as Bearer header or as subprotocol bearer.<token>; without it 401.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.masked',
    source: 'page 3, Sandbox sessions',
    behaviour: 'WebSocket messages, frames too, hold no secret used in the session.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.create.checked',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'start_url outside allowed_urls or one that changes something when it is opened, a credential that may be used nowhere within them, and unknown fields are 400 naming the field; no browser is started.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.create.unavailable',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Where no browser can be had the answer says why, 429 when there are too many, and no session is left.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.create.agent',
    source: 'page 3, Sandbox sessions',
    behaviour: 'agent_did of the token is that of its sessions, whatever the body says.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.scopes',
    source: 'document 3, Endpoints A',
    behaviour: 'Each sandbox endpoint without its scope is 403 insufficient_scope.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.token-credentials',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A token with credential_ids opens only sessions that use no others: 404 otherwise.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session.owner',
    source: 'issue 14, 7',
    behaviour:
      'A session is seen and driven by the token that opened it, by log-ins of the account of that token and of ' +
      'admins; for any other token and user of the tenant it is 404, and in no list.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session.kept',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A session and its operations can be looked up for 30 days after its end.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session.events-kept',
    source: 'page 3, Sandbox sessions',
    behaviour: 'What happens in a session is in its record also when whoever asked hears no answer.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.enclave-gone',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'When the enclave dies its sessions are closed, closed_reason enclave_gone; what was under way in them is failed, interrupted.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operations',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'GET .../operations lists what was asked, newest first, as the agent wrote it (placeholders), with review, masked result and who decided.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.state-first',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The first text of the WebSocket is session.state as it is; after the state that ends the session it is closed with 1000.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.origin',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A page whose origin VAULT_CONSOLE_ORIGIN does not name gets no WebSocket: 403.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.token-ends',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The WebSocket is closed with 1008 and reason token_expired or token_revoked within seconds after the token ended.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.frames',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'With ?frames=1 a picture comes about once a second; none is taken while nobody asks for them.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.events.caps',
    source: 'page 3, Sandbox sessions',
    behaviour: 'Watchers of one session are limited (429), and one that does not read is cut off.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.vault-restart',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Sessions go on when a vault process ends: the next one on the same database and enclave has them.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.approval.look',
    source: 'issue 14, point 4',
    behaviour:
      'GET /api/v1/sandbox/sessions/:id/approvals/:operation_id shows who may decide, in person, what was asked, where a ' +
      'secret would go, and the page as it was then with the form outlined, masked; a generated token is refused.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.left',
    source: 'issue 16, 1; docs/decisions/0021',
    behaviour:
      'Whatever of a page leaves its session (extract, script result, export, screenshot) is answered and listed in .../operations with left: ' +
      'what, media_type, page, bytes, sha256 of exactly the bytes, and the salt of its audit record.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.left.live',
    source: 'issue 16, 1; docs/decisions/0021',
    behaviour:
      'Pictures of the live view are on record for each that watches, with time, size and digest, within a minute or before the session is closed; ' +
      'what cannot be recorded by then stops the live view. The operation log has one line for each that watches.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.operations.who',
    source: 'issue 16, 2',
    behaviour:
      'Each line of .../operations has actor (user:NAME is a person who logged in, user:NAME token:ID a token) and agent_did, and is filtered by both; ' +
      'a session says opened_by, and the list of sessions takes agent_did.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
