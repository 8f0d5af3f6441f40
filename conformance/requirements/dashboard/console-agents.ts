import type { Requirement } from '../requirement.ts';

/** The owner's web console. */
export const dashboardConsoleAgentRequirements = [
  {
    id: 'dashboard.console.agents',
    source: 'issue 18, 1',
    behaviour:
      'An owner without agents reads what an agent wallet is and the three steps to one, with their own address filled in; a ' +
      'gateway that announces itself appears on the page without a reload, with its whole address to compare.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.sign',
    source: 'issue 18, 1',
    behaviour:
      'An owner names an announced agent, says how long it may pay, reads each field that is signed and signs it; a mandate for ' +
      'that agent follows.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.mandate',
    source: 'issue 18, 1',
    behaviour:
      'A mandate is made for the wallet itself or for one of its agents, says which, and replaces only the active one of the ' +
      'same payer.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.stop',
    source: 'issue 18, 1',
    behaviour:
      'An owner stops an agent, or refuses one that has announced itself, after reading that this ends its payments and its ' +
      'mandate, cannot be undone and moves no money.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.balance',
    source: 'issue 18, 1',
    behaviour:
      'The USDC of an agent’s wallet is read through the owner’s wallet, exactly; where that is not possible it is left out, and ' +
      'the page says why.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.top-up',
    source: 'issue 18, 1',
    behaviour:
      'An owner tops an agent up by one USDC transfer that the console builds: contract and chain by the server’s word, the amount in ' +
      'whole units. The page says whether the wallet sent it and whether the chain confirmed it.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.take-back',
    source: 'issue 18, 1',
    behaviour:
      'An owner brings the money of an agent’s wallet back, stopped or not: the page shows what gateway sweep signed, and has the ' +
      'owner’s wallet send it. What is of another agent, another network or another owner is refused.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.once',
    source: 'issue 18, 1',
    behaviour:
      'The owner’s wallet is asked for one transfer to an agent at a time, whatever is pressed or closed meanwhile, and only ' +
      'while the agent is active. A receipt is believed from the chain of the transfer alone; after two minutes without one ' +
      'the page says so.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.many',
    source: 'issue 18, 1',
    behaviour:
      'All gateways that wait can be seen and be refused in one confirmed act; what was signed for meanwhile is neither refused ' +
      'nor stopped by it.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.payer',
    source: 'issue 18, 1',
    behaviour:
      'A mandate that is begun for an agent names that agent’s wallet before it is signed; where the dashboard drafts it for ' +
      'another wallet it is not signed.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.agents.legible',
    source: 'issue 18, 1',
    behaviour:
      'An agent’s name that turns the reading order or hides a part of itself is shown with those characters by their codes.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.keys',
    source: 'console, owner’s pages',
    behaviour:
      'An owner makes an API key, sees when it was last used, rolls it so that the old one works on for a ' +
      'chosen time, and revokes it after typing its name.',
    status: 'tested',
  },
  {
    id: 'dashboard.console.keys.once',
    source: 'console, owner’s pages',
    behaviour: 'A new key is shown once, with a copy button; leaving without a copy is warned of.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
