import type { Requirement } from '../requirement.ts';

/** What no page, script or agent gets out of a session: isolation and decoys. */
export const vaultIsolationRequirements = [
  {
    id: 'vault.sandbox.isolation.namespace',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The browser of a session lives in a network namespace of its own whose only way out is the egress ' +
      'proxy.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.egress-names',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The egress proxy resolves names itself and lets through only host and port of the allow-list.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.private-addresses',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Private and metadata addresses are refused unless SANDBOX_ALLOW_PRIVATE (addresses or CIDRs, ' +
      'comma-separated) names them.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.server-name',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Through the egress proxy TLS goes on only if its ClientHello names the host that was asked for; clear text ' +
      'goes to http origins alone.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.egress-again',
    source: 'page 3, Sandbox sessions',
    behaviour: 'An egress proxy that dies is started again, and serves the browsers that were there before.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.told',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The enclave tells the vault which Chromium sessions get and how the last one was found to be kept apart.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.path-scope',
    source: 'page 3, Sandbox sessions',
    behaviour: 'Path prefixes and redirects are enforced on every target of the browser.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.required',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'With SANDBOX_ISOLATION=required, the default, a session is refused where namespaces cannot be had.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.best',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'With SANDBOX_ISOLATION=best weaker isolation is used and told in every session record, in /ready ' +
      'and in the console.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.as-user',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'An enclave that is not root keeps browsers apart by a user namespace, and tells that they run as its own user.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.egress-caps',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The egress proxy ends what is silent, what does not begin, and all of a browser that sent and received too much; ' +
      'and takes so many connections of one, and no more.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.isolation.tools',
    source: 'page 3, Sandbox sessions',
    behaviour: 'Bubblewrap is used where installed, else unshare and setpriv of util-linux.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.page-sees-decoy',
    source: 'page 3, Sandbox sessions, Decoy first',
    behaviour:
      'fill types a decoy; page, script and screenshot see the decoy only. A number, date, card, mail address or account name has one of its shape.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.usual',
    source: 'issue 14',
    behaviour:
      'The decoy of any other secret is 16 characters of every class, cut to what the field takes, whatever the secret: no counter and no meter of a page tells its length or strength.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.bound-request',
    source: 'page 3, Sandbox sessions, Decoy first',
    behaviour:
      'The real value replaces the decoy only in the one request that matches method, action URL, frame ' +
      'origin and field of the form at fill.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.within-scope',
    source: 'page 3, Sandbox sessions, Decoy first',
    behaviour: 'The real value is only ever sent within the allowed_urls of both credential and session.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.alarm',
    source: 'page 3, Sandbox sessions, Decoy first',
    behaviour: 'A decoy in any other request gives a record policy_rejected and closes the session.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.own-site',
    source: 'issue 14, finding B2',
    behaviour:
      'Where a page in which the agent had no hand sends the decoy to its own origin by a script, in a body, to check what is typed ' +
      'or as telemetry, that request is not sent and gives a record policy_rejected; the session goes on.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.dom-mode',
    source: 'page 3, Sandbox sessions, Decoy first',
    behaviour:
      'Mode dom puts the real value into the page, only if the credential allows it; reads, scripts and ' +
      'exports wait until the form is gone.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.once',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Each fill is delivered once, and an answer that would have the browser send it on (307, 308) is stopped.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.echo',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'An answer to a request with a secret that repeats it reaches the page with the decoy in its place.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.memory',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'After fills, deliveries and such answers no copy of the secret is in the memory of the process that drives; where the page itself showed it (mode dom), none outside the worker of the session, and none at all once that has ended.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.hostile-pages',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Crashes, endless scripts and redirects, alerts, popups and downloads end operations in time, with a problem.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.form-of-script',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'A login form that says no method takes a secret in mode network, since a script sends it; one that says GET takes none.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.decoy.object',
    source: 'issue 14, 8',
    behaviour:
      'What stands for a JSON object is an object of the same outline with fresh texts, also within other JSON.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.process.own',
    source: 'page 3, Sandbox sessions; document 3, What the service does 2',
    behaviour:
      'Each session is a browser process tree of its own with an ephemeral profile that is gone after it.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.process.crash',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A crash of one session never touches another.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.process.died-while-ready',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A browser that was kept ready and died is replaced: the session that asks for it opens.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.process.caps',
    source: 'page 3, Sandbox sessions; document 3, Limits 4',
    behaviour: 'SANDBOX_MEMORY_MB (512 if unset) and SANDBOX_CPU (1 if unset) cap each session.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.process.engine',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The browser is SANDBOX_CHROMIUM, else the Chromium of the system, else that of @sparticuz/chromium ' +
      'with its checksum verified.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.session-credentials-only',
    source: 'document 3, What the service does 5',
    behaviour: 'A placeholder for a credential that the session does not name is refused.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.attacks.ways-out',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'A page that holds a login form in scope carries nothing out of scope by any way that works in the same browser ' +
      'without protection: no request, socket, datagram or question for a name arrives.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.attacks.ways-within',
    source: 'page 3, Sandbox sessions, Decoy first',
    behaviour:
      'What such a page sends elsewhere on its own site (a comment, a query, another form or field) holds the decoy, ' +
      'never the secret, and no address that it sends is exchanged.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.attacks.honest',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'An agent that attacks an honest application (moves bindings, reads back, asks selectors and the masker, acts by ' +
      'another hand) learns no secret and does nothing that a person was not asked for.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.attacks.honest-control',
    source: 'page 3, Sandbox sessions',
    behaviour: 'Each of these attacks works in the same browser where nothing protects it.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.attacks.indistinguishable',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'The same operations, whatever they ask, are answered alike over two different secrets, PINs too: an agent that ' +
      'knows both does not tell which of them it is.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.attacks.freeze',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Whatever script, selector, page or JSON keeps one session busy, another answers within two seconds.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.hostile.clear-end',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Loops, floods, allocations, redirects, popups, dialogs, downloads and giant answers of a page end each ' +
      'operation within its time: the session works on, or is closed with its reason.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.hostile.left',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'A page that does not let itself be left is closed: navigate fails as interrupted and says so, and the next one is done.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.hostile.neighbour',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'While a session endures a hostile page, another one answers with what is its own, and tells that page nothing.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.corpus',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'With placeholders alone an agent signs in by plain, multi-step, multipart and scripted forms, at an identity ' +
      'provider by redirect or frame, in shadow roots, beside honeypots, with a code or a repeated password.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
