import type { Requirement } from '../requirement.ts';

/** The owner's web console. */
export const dashboardConsoleRequirements = [
  {
    id: 'dashboard.console.sign-in.wallet',
    source: 'page 2, Sessions and accounts; console, foundation',
    behaviour: 'An owner signs in with any wallet that announces itself (EIP-6963), and signs out again.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.sign-in.chain',
    source: 'console, foundation',
    behaviour: 'With the wallet on another chain, the sign-in page names both and offers the switch.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.sign-in.no-wallet',
    source: 'console, foundation',
    behaviour: 'In a browser without a wallet the sign-in page says what to do.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.first-steps',
    source: 'issue 18, 4',
    behaviour:
      'The overview of a new owner lists identity, mandate, gateway, client, first payment and going live, each as far as the ' +
      'dashboard knows it to be done and with the way to it; the list is gone once all are done, or once its owner hides it.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.connect',
    source: 'issue 18, 4',
    behaviour:
      'The console shows, ready to be copied, what connects Claude, Cursor, VS Code and a program by the SDK to the gateway, and says ' +
      'of ChatGPT what is missing. The token that one enters is kept in the page alone.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.session.ended',
    source: 'console, foundation',
    behaviour: 'When the session has ended, the console asks to sign in and then returns to the same place.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.session.quiet',
    source: 'console, foundation',
    behaviour:
      'While signing out or erasing is under way, the console asks the dashboard nothing that it could be refused.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.wallet.declined',
    source: 'console, foundation',
    behaviour: 'An owner who declines in the wallet is told that nothing was signed, and may try again.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.wallet.account-changed',
    source: 'console, foundation',
    behaviour:
      'A wallet that offers another account than the one signed in is told to the owner before anything is ' +
      'signed.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.connect-client',
    source: 'issue 18, decision 0030',
    behaviour:
      'The page to which OAuth leads shows the client’s name as text, where the browser is sent back to, the gateway, what ' +
      'is allowed, and the agents that can be picked, each with its limits; who is not signed in signs in on the way. An agent’s ' +
      'page lists its connected clients, and one click disconnects one.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.create',
    source: 'console, foundation',
    behaviour:
      'Before a mandate is signed, the console shows exactly the fields that are signed, letter for letter; ' +
      'once signed it is active.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.verify',
    source: 'console, foundation',
    behaviour:
      'A mandate’s credential can be copied, downloaded and verified in the browser, which recovers the ' +
      'signer.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.revoke',
    source: 'console, foundation',
    behaviour: 'An owner revokes the active mandate in the console, after being asked once more.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.approvals.signed-fields',
    source: 'console, approvals',
    behaviour:
      'Before an approval is signed, the console shows exactly the fields that are signed, letter for letter; ' +
      'an owner who declines leaves it pending.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.approvals.link',
    source: 'page 1, Phase 2; console, approvals',
    behaviour:
      'The link of a challenge, /approvals/{approvalId}, leads to that payment, after signing in; another ' +
      'account’s is not shown, and one that was decided meanwhile is not decided twice.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.identity',
    source: 'console, compliance',
    behaviour:
      'An owner sees whether they are verified, the reason of a rejection and the next step, and hands in an ' +
      'identity; an operator is offered no decision about the own one.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.vendor',
    source: 'console, compliance',
    behaviour: 'Where a vendor verifies people, the console leads to its page, if that is an https one.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.screen',
    source: 'console, compliance',
    behaviour: 'An owner screens any address, and sees who says so and of which day the list is.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.four-eyes',
    source: 'issue 15, 23',
    behaviour:
      'Where two operators have to agree, the console shows who has spoken, lets that operator take it back, and lets ' +
      'another make it count.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.withdraw',
    source: 'issue 15, 23',
    behaviour:
      'An operator withdraws an approval and takes a withdrawal back in the console, each with a reason; the person ' +
      'reads on the overview that it is withdrawn, and on the page of compliance why.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.renewal',
    source: 'issue 15, 23',
    behaviour:
      'An owner sees until when the approval counts; from 30 days before on the overview says so and a renewal is offered.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.history',
    source: 'issue 15, 23',
    behaviour: 'An operator reads in the console who decided what, when and why, by topic and by wallet.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.everybody',
    source: 'issue 15, 23',
    behaviour:
      'An operator sees, narrows, opens and downloads the transactions of everybody in the console, which says that each ' +
      'look is on record and asks only when the operator looks.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.deny-list',
    source: 'console, compliance',
    behaviour: 'An operator adds to the deny list and takes off it in the console, each with a reason.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.filter',
    source: 'console, transactions',
    behaviour:
      'Transactions are narrowed by direction, result, time, service, chain and hash; the filters stand in the ' +
      'address, and what does not fit there is left out.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.why',
    source: 'issue 16, 13',
    behaviour:
      'A payment that was not made says why in a sentence, with the way out and its link, before anything else; that of ' +
      'a paused mandate says that it was paused and where to resume it.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.one-payment',
    source: 'issue 16, 13',
    behaviour:
      'One payment is one row from its refusal through the approval to its settlement, and tells all of it when opened.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.noted',
    source: 'issue 16, 13',
    behaviour: 'Reason, tool and agent are columns and filters of the transactions.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.overview.open',
    source: 'issue 16, 13',
    behaviour: 'A row of the overview’s latest transactions opens that transaction.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.open',
    source: 'console, transactions',
    behaviour:
      'A transaction opens with both parties’ screening, its mandate, metadata and receipt; its address leads ' +
      'there again.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.explorer',
    source: 'issue 16, 15',
    behaviour:
      'A transaction links an explorer only where that explorer has its chain: never for a local chain that only has a ' +
      'known chain’s id.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.claims',
    source: 'console, transactions',
    behaviour:
      'What others merely claim is a list of its own, which says so; a claim is never shown as paid or screened, and a ' +
      'record tells who reported it and whether it was seen on chain.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.transactions.csv',
    source: 'console, transactions',
    behaviour: 'All transactions that the filters leave are downloaded as CSV.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.accessible',
    source: 'console, foundation',
    behaviour:
      'No page has a WCAG 2.2 AA or best-practice violation that axe finds, in the light and dark theme, at ' +
      '1440 and 390 pixels; no page scrolls sideways.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.keyboard',
    source: 'console, foundation',
    behaviour:
      'Every page works by keyboard: all of it is reached in order, the focus is seen, sheets keep it and ' +
      'give it back.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.states',
    source: 'console, foundation',
    behaviour:
      'Every page says when it is empty, waits, cannot load or may not show something, and tries again when ' +
      'told to.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.theme',
    source: 'console, foundation',
    behaviour: 'The theme follows the system until the owner chooses one, which stays.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.own-origin',
    source: 'console, foundation',
    behaviour:
      'The console sends requests to its own origin only, logs no error, and keeps no secret where scripts ' +
      'can read it.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.policy',
    source: 'console, foundation',
    behaviour:
      'The console’s pages carry a Content-Security-Policy without inline scripts, objects, foreign frames ' +
      'or base; hashed files are immutable, pages are asked for anew.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.paths',
    source: 'console, foundation',
    behaviour:
      'Only the console’s own paths answer with its page; an unknown path answers 404 with the envelope, and ' +
      'the API is served without a built console.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.size',
    source: 'console, foundation',
    behaviour: 'The first load of any page takes at most 200 kB of gzipped JavaScript.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.edit',
    source: 'console, owner’s pages',
    behaviour:
      'The console says before saving whether a change of a mandate holds at once or needs a new signature: a name and a budget up to the signed one need none, everything else does.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.policy',
    source: 'console, owner’s pages',
    behaviour:
      'Rules beside a mandate (budget of a period, approval threshold, merchants, services) are shown and changed without a signature, and hold from then on.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.pause',
    source: 'console, owner’s pages',
    behaviour:
      'A mandate is paused and resumed in the console; while paused, nothing is paid from it and the page says so.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.renew',
    source: 'console, owner’s pages',
    behaviour:
      'A mandate that has ended is renewed: a new one with its limits and rules, which is signed next.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.mandates.delete',
    source: 'console, owner’s pages',
    behaviour: 'A draft or an ended mandate is deleted after being asked once more.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.alerts',
    source: 'console, owner’s pages',
    behaviour: 'Alerts about mandates are shown until the owner marks them as seen.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.overview',
    source: 'console, owner’s pages',
    behaviour:
      'The overview shows what was spent today, this month and on each of the last 30 days, as a chart and as a table, what is left and held, what waits, and whether the checks answer.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.live',
    source: 'console, owner’s pages',
    behaviour: 'What a gateway does appears in an open console without reload, by the event stream.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.notifications',
    source: 'console, owner’s pages',
    behaviour:
      'The browser tells of a waiting payment or an alert while the console is in the background, after a click asked for it; never of a text that a service wrote.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.sessions',
    source: 'console, owner’s pages',
    behaviour: 'An owner sees every live session of the account and ends any of them.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.motion',
    source: 'console, owner’s pages',
    behaviour: 'Whoever asks the system for less motion sees no animation.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.zoom',
    source: 'console, owner’s pages',
    behaviour: 'At 200 % zoom (720 pixels) every page keeps all of its content and does not scroll sideways.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.checks',
    source: 'console, compliance',
    behaviour:
      'A provider that is down, and a list that is too old or missing, is told on the overview and beside the ' +
      'checks, with what that means for payments.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.waiting-count',
    source: 'console, approvals',
    behaviour: 'The navigation counts the approvals that wait, and keeps the count true without a reload.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.compliance.live',
    source: 'issue 16, 15',
    behaviour: 'What is handed in appears in an operator’s open review queue by itself, within seconds.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.time-zone',
    source: 'issue 16, 15',
    behaviour:
      '“Today” names its time zone: the browser’s where the browser filters, UTC where the dashboard adds up.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.pager',
    source: 'issue 16, 15',
    behaviour: 'Every word of the pager has the contrast of text, also where it leads nowhere.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.hostile-lengths',
    source: 'issue 16, 14',
    behaviour:
      'No word and no number, however long, widens any page of the console’s route table, or a sheet on it, at 390 or 1440 pixels.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.lost-chunk',
    source: 'issue 16, 15',
    behaviour:
      'A page whose script does not come is asked for again, then offers to try once more; nothing reloads by itself, so ' +
      'no log-in is lost.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
