import type { Requirement } from '../requirement.ts';

const source = 'issue 19, 1';

/** How operators admit businesses as payees. */
export const dashboardPayeeRequirements = [
  {
    id: 'dashboard.payees.create',
    source,
    behaviour:
      'POST /api/payees/create (operator session) {legalName, domain, addresses, links, registryNumbers, validUntil} admits a payee ' +
      'without its cooperation: POST /api/kyc/check answers approved for its addresses. What is malformed, over, more than ten years off, or the zero address is 400.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.vouching',
    source,
    behaviour:
      'GET /api/payees/of/:address (operator session) tells which record vouches for an address, or in one word why none does.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.networks',
    source,
    behaviour:
      'An address is for any EVM network or for those it names by CAIP-2 id; for others than the dashboard’s own it vouches for nothing.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.claimed',
    source,
    behaviour:
      'An address belongs to one record: another that claims it is 409, 80000003, ADDRESS_CLAIMED, and names the first.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.change',
    source,
    behaviour:
      'POST /api/payees/:id/change writes a new version, for the version that was read: an address that it no longer names is not approved from the next question on.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.expired',
    source,
    behaviour: 'A record vouches until validUntil, by the clock at the moment of asking; a change renews it.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.withdraw',
    source,
    behaviour:
      'POST /api/payees/:id/withdraw {reason}: from the next question on the record vouches for nothing, for good.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.owner-rejected',
    source,
    behaviour:
      'A record lifts nothing that was decided about the person who owns the wallet: a rejection, here or by a vendor, stands until an approval, ' +
      'also when the person hands in again or erases, and so does a withdrawal. Operators and owners are told what gateways are.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.operators-only',
    source,
    behaviour:
      'Whoever is no operator gets 403, 80000004, of every endpoint about payees, and so does an operator who admits their own wallet or one that they signed as their agent.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.append-only',
    source,
    behaviour:
      'The database refuses to update, delete or truncate versions and files of records; the contents and name of a file can only be erased.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.files',
    source,
    behaviour:
      'POST /api/payees/:id/files seals a file (PDF, PNG, JPEG, text; 180 KiB, ten a record) under EVIDENCE_KEY for this record alone, if it begins as its type does, under a name without folders and with the ending of its type; who reads it is on record.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.files.erase',
    source,
    behaviour:
      'POST /api/payees/:id/files/:fileId/erase {reason} erases the contents and name of a file for good, also of a withdrawn record; with four eyes two operators ask for it. ' +
      'Who added it, who erased it and why stay on record.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.four-eyes',
    source,
    behaviour:
      'With KYC_FOUR_EYES=1 a record or change counts once a second operator agrees; until then it is shown with the first one’s word, which can be retracted.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.four-eyes.stale',
    source,
    behaviour:
      'A second word is for the version that was read: of one that was changed or got another file meanwhile, or whose end is over, it is 409, 80000003.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.four-eyes.less',
    source,
    behaviour: 'A change that vouches for less alone, and a withdrawal, take effect at once by one operator.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.four-eyes.claimed',
    source,
    behaviour:
      'Of two proposals that claim one address the first that is agreed on stands; agreeing to the other is 409, ADDRESS_CLAIMED.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.import',
    source,
    behaviour:
      'POST /api/payees/import {csv} admits the payees of a file (RFC 4180; CAIP-10 names a network, once for each); with four eyes each waits.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.import.faults',
    source,
    behaviour:
      'A file with a fault is 400, 80000012, and admits nothing; data.faults names row (blank ones count), field and problem.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.review',
    source,
    behaviour:
      'A reported refusal with PAYEE_KYC_NOT_APPROVED of a payee that nobody decided about opens one review of that address: service, tool, host, price and KYT as reported, whose payment it was, how many accounts wanted to pay it, and how often.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.review.only-unknown',
    source,
    behaviour:
      'Other refusals open no review, nor does the payee’s own word, nor one about a person who was rejected or a record that vouches, waits or was withdrawn.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.review.admitted',
    source,
    behaviour:
      'A record that names the payee admits it; once that has expired or names it no longer, the next refusal opens the review again, with what it tells itself.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.review.turned-away',
    source,
    behaviour:
      'POST /api/payees/reviews/turn-away {payee, reason} ends a review; later refusals are counted and open no other.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.review.cleaned',
    source,
    behaviour:
      'Texts of a review are one line of visible characters, cut to length; a host that is none is left out.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.review.flood',
    source,
    behaviour:
      'Only the payments of accounts whose KYC is approved open reviews: 20 each at most, five of one service, whoever reports them, with no room shared. What is beyond is reported, and asks no vendor.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain',
    source,
    behaviour:
      'POST /api/payees/:id/check-domain (operator session) reads https://DOMAIN/.well-known/countersign-payee.json: that the domain names a payout address, signed by it, ' +
      'is shown with the record (domainProofs), with the time of the look, and admits nobody.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain.verdict',
    source,
    behaviour:
      'Only the file of docs/spec/signatures.md, signed by the very address over that very domain, its networks and a time that has come and is not over, is PROVED; whatever else stands there has a word of its own.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain.fetch',
    source,
    behaviour:
      'The file is read by TLS from public addresses alone, judged as they are connected to, with three redirects within the host at most, 64 KiB and 5 s for each answer.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain.taken-back',
    source,
    behaviour:
      'A domain that has vouched for an address and then sends elsewhere, names another domain or has no file (DOMAIN_MOVED), or names it no more (ADDRESS_DISOWNED), has payments to it refused until it ' +
      'vouches again or operators decide anew. Silence, and what cannot be read, takes nothing back.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain.again',
    source,
    behaviour:
      'The domain of a record that is not withdrawn is asked when its last word is a day old, or an hour where it has taken something back; an older answer never replaces a newer. One whose check fails has had its turn.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain.vectors',
    source,
    behaviour: 'PayeeDomain is signed byte for byte as docs/spec/signatures.md and its vectors say.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.name',
    source,
    behaviour:
      'GET /api/payees/name/:address (session) tells the legal name and domain of the valid record that names an address, and nothing else of it.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.submit',
    source,
    behaviour:
      'POST /api/business/submit (session of the wallet’s holder) submits the account as a business; the answer and GET /api/business tell what its domain says of each address, and how it stands. It pays nobody.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.claim',
    source,
    behaviour:
      'Each payout address is the wallet that signed in, or has signed a PayeeClaim (EIP-712) for this account and domain within the last day; otherwise nothing is kept (403, 80000004).',
    status: 'tested',
  },
  {
    id: 'dashboard.business.flood',
    source,
    behaviour:
      'One submission of an account waits, and three are taken in a day (409, 80000003), which is decided before signatures are judged. Operators list those that wait oldest first.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.files',
    source,
    behaviour:
      'Facts and files (five, as of records) are sealed under EVIDENCE_KEY for their submission alone; without the key nothing is taken, under another nothing is decided; who reads a file is on record.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.decide',
    source,
    behaviour:
      'POST /api/business/submissions/:id/decide (operator session) admits a submission by a record, which with four eyes waits for the second operator, or rejects it with a reason; the account reads both. A person’s own rejection stands. Whatever the domain does afterwards decides no answer.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.renew',
    source,
    behaviour:
      'A later submission changes the record of the earlier one (`renews`) once it is admitted, by an operator who names the newest version of it (409 otherwise); what was handed in for the version that counts stays until the later one counts; an address of another’s record is 409, ADDRESS_CLAIMED, and the submission waits.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.operators-only',
    source,
    behaviour:
      'Nobody but operators reads or decides submissions of others, and no operator decides their own, or admits or changes the record that was made of it.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.personal',
    source,
    behaviour:
      'An export has what was submitted, with its files; an erasure deletes it, withdraws the record, on record, and takes names and reasons of one that never counted out of the history; KYC_RETENTION_DAYS after a rejection or withdrawal it is deleted.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.domain.contract',
    source,
    behaviour:
      'The word of a contract (ERC-1271) proves a domain for the dashboard’s own chain alone: for a record of other networks, or of any, it is OTHER_NETWORK.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.networks.hold',
    source,
    behaviour:
      'A hold for a payee whom only a business record vouches for is refused on a network that the record does not name: 403, 80000004, PAYEE_ON_OTHER_NETWORKS; the gateway answers PAYMENT_UNSUPPORTED.',
    status: 'tested',
  },
  {
    id: 'dashboard.payees.forgotten',
    source,
    behaviour:
      'Who a withdrawn record was about that never counted (names, domain, links, registry numbers, files, checks) is forgotten KYC_RETENTION_DAYS after, or when its owner erases; of any other record the database refuses it.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.contract',
    source,
    behaviour:
      'A payout address that is a contract is submitted for the dashboard’s own chain: without networks it is kept for that one; one that names others is 403, 80000004.',
    status: 'tested',
  },
  {
    id: 'dashboard.business.fetches',
    source,
    behaviour:
      'Submissions ask eight domains at a time at most; one that finds no room is kept, and its domain is asked when an operator does.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.start',
    source,
    behaviour:
      'POST /api/payees/:id/checks {version, country, registrationNumber} (operator session) has the provider of KYB_PROVIDER check the business of a record on its own wire, by legal name and one of its registry numbers; its answer is shown with the record (checks), on record, and admits nobody.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.no-answer',
    source,
    behaviour:
      'A 401, HTML, 429, redirect, cut-off, endless or wrongly typed answer of a KYB provider, or one about another business, is 500, 80000001, changes nothing, and a check that began so is found by the next question.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.no',
    source,
    behaviour:
      'Once a provider says no about a version that counts or counted (CHECK_REJECTED), nobody is paid by the record until it says yes of that check or operators admit a version that says more and name that no as read (seenRejections; of two, both); an open or missing file, or another check, ends nothing. A no that came between page and word, after the first word, or again once its file was open, is not lifted, whatever clocks say.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.again',
    source,
    behaviour:
      'A check of a record that is not withdrawn is read again without being asked: while it is open after ten minutes, or a tenth of its age, for 90 days (openUntil; one day where it never began); a yes after a day; a no after an hour.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.webhook',
    source,
    behaviour:
      'POST /api/business/webhooks/:provider with a right signature has the check read again, once an event; what it says is not believed, and what could not be acted upon is 500.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.submission',
    source,
    behaviour:
      'POST /api/business/submissions/:id/checks checks a submission that waits; once admitted, its checks are the record’s, and a no that was read before stops nothing. The record links to its submission.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.operators-only',
    source,
    behaviour:
      'Operators alone start and read checks, never of their own business, of the newest version (409 otherwise) and by a number that it names (400 otherwise).',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.four-eyes',
    source,
    behaviour:
      'With KYC_FOUR_EYES a provider’s yes is no operator’s word, and a no about what waits stops nothing that counts.',
    status: 'tested',
  },
  {
    id: 'dashboard.business-checks.config',
    source,
    behaviour:
      'Without KYB_PROVIDER nobody is asked (404 says so); sumsub and persona demand their variables at the start.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.business',
    source,
    behaviour:
      'In the console a business submits itself, with another address that its wallet signs for and a file; an operator reads it, its files and its domain, admits or rejects it, and the business reads which and why. Submitted again it begins with what was submitted last; the operator reads the record and what changes about it.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.payees',
    source,
    behaviour:
      'Operators read in the console what is told of an unknown payee and by whom, and admit it, of which only the address is filled in, or turn it away, on a phone and by keyboard; with four eyes the second agrees there.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.whole-addresses',
    source,
    behaviour:
      'Where an operator or owner decides about a payee (unknown payee, record, proposal, approval) the console shows its address whole, on a phone too.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.payees.import',
    source,
    behaviour: 'The console imports payees from CSV, and tells row by row what is wrong.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.payees.record',
    source,
    behaviour:
      'The console shows a record with its files and what is proposed; operators add, read and erase files, ask its domain, change and withdraw it.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
