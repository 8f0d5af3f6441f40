import type { Requirement } from '../requirement.ts';

/** The review engine that every browser operation passes before it runs. */
export const vaultReviewRequirements = [
  {
    id: 'vault.review.before-execution',
    source: 'document 3, What the service does 3',
    behaviour: 'Every operation is reviewed before it runs; a rejected one has no effect on page or network.',
    status: 'tested',
  },
  {
    id: 'vault.review.rejection-recorded',
    source: 'document 3, What the service does 3',
    behaviour: 'A rejection leaves an audit record policy_rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.intent',
    source: 'document 3, What the service does 3; page 3, Review engine',
    behaviour: 'An operation against the declared task or the use of the credential is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.scope',
    source: 'document 3, What the service does 3; page 3, Review engine',
    behaviour: 'An operation outside the authorized URL scope is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.exfiltration',
    source: 'document 3, What the service does 3; page 3, Review engine',
    behaviour:
      'An operation that sends data out (anomalous cross-site navigation, cross-site form action) is ' +
      'rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.script.kinds',
    source: 'issue 14, 1',
    behaviour:
      'A script is read once, to tell whether it reads, acts, presents an identity credential or is none; our own corpus of ' +
      'reading and acting scripts is told apart.',
    status: 'tested',
  },
  {
    id: 'vault.review.script.linear',
    source: 'issue 14, 6',
    behaviour:
      'Reading a script costs what its length is: twice the text, twice the steps, however it is nested.',
    status: 'tested',
  },
  {
    id: 'vault.review.script.acts',
    source: 'issue 14, 1',
    behaviour:
      'In a session with credentials a script that acts waits for a person each time, and the answer names the operations ' +
      'that do the same.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.presentation',
    source: 'issue 14, 1 and 8',
    behaviour:
      'A script presents an identity credential in literal requests alone, as object or text at any depth: the enclave forms ' +
      'them from its text, and the rest of it reads their answers.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.place',
    source: 'issue 14, points 4 and 8',
    behaviour:
      'A script presents an identity credential without a question only at an origin, path, method and member where a person ' +
      'has agreed to it; several places, and addresses with a query, are asked about each time.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.request',
    source: 'issue 14, points 4 and 5',
    behaviour:
      'A presentation is judged by its kind as any request would be: as a public comment it is refused, or asked where the ' +
      'task names one, also at a place that was agreed to.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.any-field',
    source: 'issue 14, 8',
    behaviour:
      'An identity credential is filled into whatever text field a page within its allowed_urls has, whatever it is called.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.where-it-happens',
    source: 'issue 14, What must be true 5',
    behaviour:
      'A click or key is judged by the element that it would activate, by whatever selector or focus it is reached, and is ' +
      'done only if that element is still called the same and leads to the same.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.at-the-request',
    source: 'issue 14, What must be true 5',
    behaviour:
      'A request that changes something and that an operation sets off, at once or later, is not sent where the task does ' +
      'not name what it does.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.quietly',
    source: 'issue 14, What must be true 5',
    behaviour:
      'What acts without looking so is judged as any request: HEAD, GraphQL queries that act by a name, by GET too, programs that are ' +
      'told what to do, scripts and pictures that are asked for one thing, events, styles, pings, what is sent as a page is left or ' +
      'fetched ahead, keys of applications and the last of many steps. Rules of a page for what is fetched ahead fetch nothing.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.held',
    source: 'issue 14, What must be true 5',
    behaviour:
      'A request that a person is asked about waits before it leaves: agreed to it is sent as it was, once; rejected, left ' +
      'behind by its page, or in a session that ends or asks nobody, it is not.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.harmless',
    source: 'issue 14, What must be true 5',
    behaviour: 'Reading, searching, telemetry and what a page sends by itself are done without a question.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.by-looking',
    source: 'issue 14, What must be true 5',
    behaviour:
      'What a page sends because the review or a picture scrolled or resized it, or because an address led to another part of ' +
      'it, is not its own: it is judged as what an operation sets off.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.overridden',
    source: 'issue 14, What must be true 5',
    behaviour:
      'A request is judged by the gravest of its own method and those that headers put in its place; one that takes a secret along is judged whatever they say.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.by-address',
    source: 'issue 14, What must be true 5',
    behaviour:
      'An address that changes something when it is opened, by its verb and what its query gives, waits for a person, whether the ' +
      'agent goes there, a server sends on to it, or a script, picture or frame asks for it; a session does not start there. ' +
      'What an opened page asks for by itself before it has loaded is not sent unasked either. A page about the act is read. Names are ' +
      'read as programs read them: encoded again, written as one, in parameters and pairs of the path, in other languages; a method ' +
      'that is overridden, a body, a call or a statement in the query counts as well.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.by-body',
    source: 'issue 14, What must be true 5',
    behaviour:
      'Under the address of a search or a query a body that changes something waits for a person: by a member at its top that says what ' +
      'is done to what is found, an operator of an update, a program, a command, or a statement that changes something in SQL, SPARQL, ' +
      'Cypher, Gremlin, AQL, Flux, Kusto or the pipes of Splunk.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.called-back',
    source: 'issue 14, What must be true 5',
    behaviour:
      'An address that ends in the name of a script and says what is to be called with its answer (`?callback=f`) is judged by its verb; files of scripts are not.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.same-before',
    source: 'issue 14, What must be true 5',
    behaviour:
      'A write that nobody is asked about any more is sent only if the page sent it of itself before, with the same values ' +
      'and the same call in its headers, but for clocks, counters and chance numbers.',
    status: 'tested',
  },
  {
    id: 'vault.review.act.read-there',
    source: 'issue 14, What must be true 5',
    behaviour:
      'What a person reads at an element counts: sentences above and within a form or dialog, of whatever elements, its ' +
      'hidden fields, the question that a button answers, the chosen option, descriptions, icons, style sheets and the ' +
      'heading of a column.',
    status: 'tested',
  },
  {
    id: 'vault.review.file-upload',
    source: 'page 3, Review engine',
    behaviour: 'A file upload counts as a sensitive operation.',
    status: 'tested',
  },
  {
    id: 'vault.review.mass-reading',
    source: 'page 3, Review engine',
    behaviour: 'Mass reading of a page counts as a sensitive operation.',
    status: 'tested',
  },
  {
    id: 'vault.review.deterministic',
    source: 'page 3, Review engine',
    behaviour: 'Without REVIEW_MODEL_URL the same operation on the same page always gets the same verdict.',
    status: 'tested',
  },
  {
    id: 'vault.review.replay',
    source: 'page 3, Review engine',
    behaviour: 'From the recorded facts alone anyone can make a verdict again, and it is the same.',
    status: 'tested',
  },
  {
    id: 'vault.review.half-characters',
    source: 'docs/decisions/0011',
    behaviour:
      'What a page shows is reviewed and recorded also where it cuts a character in two (a lone surrogate): it stands as U+FFFD in what is hashed.',
    status: 'tested',
  },
  {
    id: 'vault.review.rules-digest',
    source: 'issue 17, 1; docs/decisions/0026',
    behaviour:
      'Each record of a verdict names by what rules it was made: rulesDigest is SHA-256 of all code that makes a verdict of facts, as it is built, ' +
      'and changes with it.',
    status: 'tested',
  },
  {
    id: 'vault.review.facts-without-text',
    source: 'page 3, Audit log',
    behaviour: 'The recorded facts of a review hold no text of the page and no query of an address.',
    status: 'tested',
  },
  {
    id: 'vault.review.rule-ids',
    source: 'page 3, Review engine',
    behaviour: 'Each verdict names the ids of its rules, with a message that helps an agent.',
    status: 'tested',
  },
  {
    id: 'vault.review.fast',
    source: 'page 3, Review engine',
    behaviour: 'A review without the second judge takes under 5 ms.',
    status: 'tested',
  },
  {
    id: 'vault.review.model.tightens-only',
    source: 'page 3, Review engine',
    behaviour:
      'A second judge at REVIEW_MODEL_URL with REVIEW_MODEL can reject what the rules pass, never pass ' +
      'what they reject.',
    status: 'tested',
  },
  {
    id: 'vault.review.model.down',
    source: 'page 3, Review engine',
    behaviour: 'When the second judge is down or late, the operation waits for a person or is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.request',
    source: 'issue 14, 5',
    behaviour:
      'A request is judged by its method, address, body and the task: reading, search, log-in and telemetry pass, an act ' +
      'that the task names is asked, one that it does not name is refused, an unknown write is asked.',
    status: 'tested',
  },
  {
    id: 'vault.review.request.log-in-under-way',
    source: 'issue 14, 5 and 8',
    behaviour:
      'A request without the secret is a log-in only if one shows to be under way: the operation stood at a form of a log-in, ' +
      'the page is one, account and secret go to where one signs in, or a page renews its own session.',
    status: 'tested',
  },
  {
    id: 'vault.review.request.field-kept',
    source: 'issue 14, 4 and 5; docs/decisions/0011',
    behaviour:
      'A secret that was let into a log-in without a question leaves without one only while its field is that of a log-in: one that was ' +
      'renamed, moved into another form or beside a text to write, and one that something else than the log-in sends, waits for a person. ' +
      'So does one that a person let in elsewhere, once its form is another.',
    status: 'tested',
  },
  {
    id: 'vault.review.request.field-kept.question',
    source: 'issue 14, 4 and 5',
    behaviour:
      'Who is asked about a held request sees each secret that leaves with it: the credential and its field, the field of the page, and ' +
      'where it would go. That a click was agreed to agrees to no secret.',
    status: 'tested',
  },
  {
    id: 'vault.review.request.wire',
    source: 'issue 14, 5 and 8',
    behaviour:
      'Messages in which frameworks read, count or log in pass without a question; the same shape with anything else in it is stopped.',
    status: 'tested',
  },
  {
    id: 'vault.review.request.facts-without-text',
    source: 'issue 14, 5',
    behaviour:
      'The facts of a request hold no text of its body and no query; judged again they give the same verdict.',
    status: 'tested',
  },
  {
    id: 'vault.review.logins',
    source: 'issue 14, 8',
    behaviour:
      'Of a corpus of log-in forms in 15 languages or more at least 97 in 100 are filled and sent without a question.',
    status: 'tested',
  },
  {
    id: 'vault.review.logins.real',
    source: 'issue 14, 8',
    behaviour:
      'Of log-in forms of public sites, as the test suite of a password manager keeps them, at least 95 in 100 are filled without a ' +
      'question on a page whose address says nothing, with the forms beside them in view.',
    status: 'tested',
  },
  {
    id: 'vault.review.logins.products',
    source: 'issue 14, 8',
    behaviour:
      'Of log-ins of known products in 45 languages, done by a browser to the request that their site gets, at least 96 in 100 pass without a ' +
      'question; those that do not are named in the test.',
    status: 'tested',
  },
  {
    id: 'vault.review.silent',
    source: 'issue 14, point 4',
    behaviour:
      'Where a page says nothing at all, a name and one hidden password at the entry of a site are a log-in; an address, heading, button or ' +
      'further field that says anything makes it none. Other buttons of a log-in form may lead to other ways to log in at the same site.',
    status: 'tested',
  },
  {
    id: 'vault.review.harmless-reads',
    source: 'issue 14, 8',
    behaviour: 'Of a corpus of harmless reads at most 2 in 100 are stopped: nouns in an address are reading.',
    status: 'tested',
  },
  {
    id: 'vault.review.acts',
    source: 'issue 14, 5 and 8',
    behaviour: 'Of a corpus of acts that no task names none passes both at its element and at its request.',
    status: 'tested',
  },
  {
    id: 'vault.review.linear',
    source: 'issue 14, 6',
    behaviour: 'Judging an operation or a request takes time in proportion to its length.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.authorised-domain',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'For identity_credential a target URL on a domain not authorized for presentation is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.no-leak',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'For identity_credential a script that writes credential_json to globals, local storage or an ' +
      'unexpected endpoint is rejected.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.decrypt-after',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'An identity_credential is decrypted and injected only after both of its checks pass: a rejection ' +
      'leaves no credential_access.',
    status: 'tested',
  },
  {
    id: 'vault.review.identity.proof-by-verifier',
    source: 'document 3, Endpoints A, Execute rules',
    behaviour:
      'The site that receives an identity_credential receives it whole, with its proof, and can check it.',
    status: 'tested',
  },
  {
    id: 'vault.review.place.login-form',
    source: 'issue 14, point 4',
    behaviour:
      'A secret goes into a new place without a question only where the page, as its own server made it, shows a log-in ' +
      'form inside the allowed_urls of the credential: one that says so, asks for no more and has no button that does ' +
      'something else, with a form element or without; the place is remembered. A password alone is asked about once it was sent, in mode dom too.',
    status: 'tested',
  },
  {
    id: 'vault.review.place.touched',
    source: 'issue 14, point 4',
    behaviour:
      'A page is not as its server made it once a script of the agent ran in it, once the agent wrote markup, or where ' +
      'the field or its form has changed since: then a person is asked.',
    status: 'tested',
  },
  {
    id: 'vault.review.place.remembered',
    source: 'issue 14, point 4',
    behaviour:
      'A person is asked once about a place; what was agreed to asks nobody again, also in a later session. Another origin, path, ' +
      'method or field is another place, and so is another word in the query or, of fields without a name, another label.',
    status: 'tested',
  },
  {
    id: 'vault.review.place.unbound',
    source: 'issue 14, point 4',
    behaviour:
      'Without allowed_urls a credential is filled in nowhere, not even into a log-in form, until its owner names an ' +
      'address or agrees to that use.',
    status: 'tested',
  },
  {
    id: 'vault.review.place.delivered',
    source: 'issue 14, point 4',
    behaviour:
      'What was allowed is what is delivered: a form that sends elsewhere since the fill does not get the secret.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
