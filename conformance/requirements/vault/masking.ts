import type { Requirement } from '../requirement.ts';

/** What reads, pictures and outputs of a session never show: secrets, in whatever form. */
export const vaultMaskingRequirements = [
  {
    id: 'vault.sandbox.masking.log-in-in-addresses',
    source: 'issue 14, finding A2',
    behaviour:
      'In a session with credentials, ids and tokens of a log-in that sites carry in addresses, by the names of known kinds, as values of cookies that are of a log-in by name or httpOnly, or made by ' +
      'machines and new since a credential was lent, are stand-ins in all that the agent is given; it opens addresses as it read them, and follows links.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.stand-in-bound',
    source: 'issue 14, finding A2',
    behaviour:
      'A stand-in is taken back in its own session alone, in an address at the origin and under the name where it stood; any other address with one is not opened.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.no-fixed-log-in',
    source: 'issue 14, finding A2',
    behaviour:
      'A session with credentials opens no address with the id of a log-in that the agent chose: whoever knows it would be logged in as well.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.made-stays',
    source: 'issue 14, finding A2',
    behaviour:
      'After an acting script in a session without credentials, secrets that machines made are masked still; what somebody may guess is not compared any more.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.outputs',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Results, extracts, exports, titles, URLs, console text and errors hold no secret used in the ' +
      'session; it is masked.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.encodings',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Masking finds secrets in plain, URL, HTML, JSON, base64 and hex form, reversed and split over nodes.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.charset',
    source: 'page 3, Sandbox sessions',
    behaviour: 'Pages that are not in UTF-8 are read as what they say, and masked.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.streams',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A secret that comes in pieces of a stream is masked over their borders.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.more-forms',
    source: 'issue 14',
    behaviour:
      'Masking also finds composed, decomposed and full-width characters, latin-1 and UTF-16, base32 and an encoding in an encoding.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.grouped',
    source: 'issue 14',
    behaviour: 'A secret number is masked in any grouping of its digits.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.signs',
    source: 'issue 14',
    behaviour:
      'A secret of eight or more letters and digits is masked whatever signs stand between them, are taken out, doubled or escaped: as slugs, lists, CSV, SQL, shells and Markdown have them.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.spellings',
    source: 'issue 14',
    behaviour:
      'A secret is masked without its accents, in digits of any script, with quotes of print, in UTF-8 that was taken for another charset, and where characters were lost.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.no-search',
    source: 'issue 14',
    behaviour:
      'No address has the browser look for a text in a page: text fragments (`#:~:text=`), which scroll to what they find, are off.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.whole-site',
    source: 'issue 14',
    behaviour: 'What may be used below one path of a site is masked on all pages of that site.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.linear',
    source: 'issue 14',
    behaviour:
      'Masking takes time in proportion to the text, whatever the text, the secrets and what the agent wrote.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.no-oracle',
    source: 'issue 14',
    behaviour:
      'What the agent itself wrote is never compared with a secret: a page that shows it again looks the same whatever the secret is.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pins',
    source: 'issue 14',
    behaviour:
      'A secret of four to six digits hides every number of as many that stands by itself, also one digit a node and in what the agent wrote: what is masked does not depend on which it is.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pins-grouped',
    source: 'issue 14',
    behaviour:
      'So is each such number in groups, as sites show codes and format numbers: by spaces, dashes and signs of thousands, in digits of any kind, and a group a node.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pins-beside',
    source: 'issue 14',
    behaviour:
      'So is one in cells of two digits beside another number, but for sizes in fives and numbers that count on, as lists and pages have them.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.written-out',
    source: 'issue 14',
    behaviour:
      'A secret is masked whose bytes are written out in numbers of any usual base, in calls and escapes of languages and mails, in letters that are drawn otherwise, and a phrase whose words are numbered.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.within',
    source: 'issue 14',
    behaviour:
      'Of a secret that was kept with more than itself (a header, a variable, JSON, an address) the part that machines made is masked by itself.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.guesses',
    source: 'issue 14',
    behaviour:
      'Of short texts that an agent wrote, and of words of its texts, 64 in a session and 1,024 of a tenant in an hour are compared with ' +
      'secrets; each further one is masked wherever it stands apart, in all sessions of the tenant, whether it is a secret or not.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.chosen-keys',
    source: 'issue 14',
    behaviour: 'Guesses at an API key or token that is a chosen word are counted like those at a password.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.shown-words',
    source: 'issue 14',
    behaviour: 'Words that a page showed before an agent wrote them stay readable.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.many-words',
    source: 'issue 14',
    behaviour:
      'A text with more words than can be masked waits for a person, or is refused where nobody is asked; where nothing is secret it is not counted.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.read.length',
    source: 'issue 14',
    behaviour:
      'A secret that a page shows split over texts and inline elements is one text in the copy that is read, however many they were.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.all-usable',
    source: 'issue 14',
    behaviour:
      'A session masks every credential of its tenant that may be used on a site of its scope, and on every page what machines made (API keys, tokens, private keys); its first record says how many. That of a browser connector masks the credential that it lends from the start.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.known-meanwhile',
    source: 'issue 14',
    behaviour:
      'What is written while a session is open (a credential, another value, more addresses, a first use that a person allows) is masked in it before whoever wrote it is answered, once credential_access of that session is on record; where that cannot be done nothing is written; of a first use the operation was done, is answered as that, and the place is asked about again. A session that is told of more than 100 credentials, or 4 MiB of them, ends. Sessions of other tenants are not told.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.replaced',
    source: 'issue 14',
    behaviour:
      'The last eight values of a credential that were replaced are masked like it for 30 days, also in later sessions, and are deleted with it.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pictures',
    source: 'issue 14',
    behaviour:
      'Pictures show no secret in fields, placeholders, options, alternatives, pseudo-elements, shadow roots, SVG or frames, however transformed, whenever they appear, and not how broad they are, nor where shadows, filters, reflections, copies of SVG or fonts paint one elsewhere; of a page that shows one or was given one, no drawing, shown by an element or by a style.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pictures-alike',
    source: 'issue 14, What must be true 3',
    behaviour:
      'A picture depends on the page as it is alone, to the pixel: not on what stood in it before, nor on the frames in which that changed, ' +
      'nor on whether a font draws letters of a secret, each in an element of its own, as one.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pictures-reordered',
    source: 'issue 14',
    behaviour:
      'In pictures a secret is hidden whose parts stand in another order in the page than its style shows them in, along lines and down columns, or ' +
      'apart by text that is cut off: by boxes without room, regions and shapes. Text that runs out of such a box counts as seen.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.pictures-broad',
    source: 'issue 14',
    behaviour:
      'Pictures hide a line with a secret as high as what stands in it: a button with padding or a picture beside it does not tell how broad the secret is.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.transitions',
    source: 'issue 14',
    behaviour:
      'View transitions, of a document, of an element or from one document to the next, are skipped as they begin: no picture shows what a page was before.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.messages',
    source: 'issue 14',
    behaviour:
      'Of what the browser itself says under a field pictures show that it is to be filled, and nothing else: the rest repeats values and titles.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.parts',
    source: 'issue 14',
    behaviour:
      'A key that would change a field in which a secret stands is refused, since the mask knows whole secrets: the field is filled anew. So is one that goes to no field in sight, as in editors that draw their text themselves, while the page shows a secret.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.few-guesses',
    source: 'issue 14',
    behaviour:
      'A value has at most 16 placeholders, so that an operation brings few texts of the agent’s that are not masked where the site ' +
      'itself shows the same.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.short',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A secret of less than four bytes is told as unmaskable: it stands in any text by chance.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.screenshots',
    source: 'page 3, Sandbox sessions',
    behaviour: 'Secret fields are painted over in screenshots.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.masking.no-read-back',
    source: 'page 3, Sandbox sessions',
    behaviour: 'A filled secret cannot be read back by script.',
    status: 'tested',
  },
  {
    id: 'vault.sandbox.secrecy',
    source: 'page 3, Sandbox sessions',
    behaviour:
      'Whatever a secret is and however a page shows it, no answer, export, event, record, row, log or file holds it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
