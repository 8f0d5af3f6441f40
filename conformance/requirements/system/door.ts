import type { Requirement } from '../requirement.ts';

/** The first five minutes: links of npm start, and the demo's door to the console. */
export const systemDoorRequirements = [
  {
    id: 'system.door.link',
    source: 'issue 18, 4',
    behaviour:
      'npm start prints one link a role (owner, merchant, operator, approver, auditor). Opened in a browser without a wallet it signs in ' +
      'as that role, once, within an hour.',
    status: 'tested',
  },
  {
    id: 'system.door.used',
    source: 'issue 18, 4',
    behaviour:
      'A link that was used or is over lets nobody in; its page says which command prints new ones, and npm start -- --links ' +
      'prints them: it asks the process that has the door alone, and prints addresses of its own making.',
    status: 'tested',
  },
  {
    id: 'system.door.roles',
    source: 'issue 18, 4',
    behaviour:
      'A browser that was let in is offered “Enter as” each role in place of the sign-in page, also after it signed out; the ' +
      'owner is signed in to vault and control plane with it, the approver to the control plane.',
    status: 'tested',
  },
  {
    id: 'system.door.auditor',
    source: 'issue 18, 4',
    behaviour:
      'The auditor’s link and “Enter as Auditor” sign in as a person of the owner’s account by user name and password, without a wallet; ' +
      'the door signs nothing for that role.',
    status: 'tested',
  },
  {
    id: 'system.door.wallet',
    source: 'issue 18, 4',
    behaviour:
      'The demo’s wallet shows every field before it signs and asks for a click, and whoever declines signs nothing. A link and ' +
      '“Enter as” are themselves the click for one log-in message, within half a minute, and for nothing else.',
    status: 'tested',
  },
  {
    id: 'system.door.snippet',
    source: 'issue 18, 4',
    behaviour:
      'In the demo, what the console shows to connect a client has the address and the token of the demo’s gateway in it.',
    status: 'tested',
  },
  {
    id: 'system.door.signs-only',
    source: 'issue 18, 4',
    behaviour:
      'The door signs log-in messages for its own origin, mandates, approvals and decisions, and nothing else with the demo’s keys: ' +
      'no transfer and no cart.',
    status: 'tested',
  },
  {
    id: 'system.door.reload',
    source: 'issue 18, 4',
    behaviour: 'After a reload of the demo’s console the person is signed in as before.',
    status: 'tested',
  },
  {
    id: 'system.door.loopback',
    source: 'issue 18, 4',
    behaviour:
      'The door listens on loopback alone, answers under its own Hosts alone, to scripts of its own origin alone, and is never framed; ' +
      'there is none where a service of the system listens beyond loopback.',
    status: 'tested',
  },
  {
    id: 'system.door.own-name',
    source: 'issue 18, 4',
    behaviour:
      'The door has a name that is new at each start and nobody guesses: no other port of the machine is sent the console’s ' +
      'cookies, nor sets any. It is told to a browser with a link alone; approvalUrl and links have an address without it.',
    status: 'tested',
  },
  {
    id: 'system.door.two-halves',
    source: 'issue 18, 4',
    behaviour: 'Neither the door’s cookie nor the key in the page’s storage has anything signed alone.',
    status: 'tested',
  },
  {
    id: 'system.door.demo-only',
    source: 'issue 18, 4',
    behaviour:
      'The dashboard and the built console hold no part of the door: without npm start there is none.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
