import type { Requirement } from '../requirement.ts';

/** The control plane's pages in the owner's console. */
export const controlPlaneConsoleRequirements = [
  {
    id: 'control-plane.console.absent',
    source: 'console, control plane',
    behaviour:
      'Without CONTROL_PLANE_URL the console shows no page of a control plane; who follows a link to one is told why.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.relay',
    source: 'console, control plane',
    behaviour:
      'The dashboard hands on to the control plane exactly what these pages ask, over TLS 1.3, with the caller’s own ' +
      'key and nothing else of the request but its JSON body and query.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.key',
    source: 'console, control plane',
    behaviour:
      'An approver shows a key once; it stays in the page’s memory, is gone after a reload, and that it is known no ' +
      'more is told.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.actions',
    source: 'console, control plane',
    behaviour:
      'Executions that wait appear by themselves with params, policy version, deciding statements, who asks, approvals ' +
      'so far and time left, and are approved or denied with a comment.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.legible',
    source: 'console, control plane',
    behaviour:
      'What an approver reads of another party is whole: characters that cannot be seen or turn the reading order stand ' +
      'there by their codes.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.waiting-count',
    source: 'console, control plane',
    behaviour:
      'Once a key is shown, the navigation and the overview count the actions that wait; before, the overview says how ' +
      'to see them.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.sign',
    source: 'console, control plane',
    behaviour: 'A decision may be signed by the wallet, which shows what the page shows, letter for letter.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.history',
    source: 'console, control plane',
    behaviour:
      'Executions that ended are listed, each with what people said, why it ended, and its receipt to keep.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.batches',
    source: 'console, control plane',
    behaviour:
      'Batch authorizations are made in a form that tells faults, listed with what is used, and revoked.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.credentials',
    source: 'issue 16, line 7',
    behaviour:
      'Credentials of services are listed with version, due date and state of their rotation, and those that are due alone.',
    status: 'tested',
  },
  {
    id: 'control-plane.console.states',
    source: 'console, control plane',
    behaviour:
      'These pages say when they wait, when nobody answers, or no longer, and when there is nothing; axe finds no fault.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
