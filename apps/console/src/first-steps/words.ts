import type { StepName } from './steps.ts';

type About = {
  readonly title: string;
  /** What to do, and why. */
  readonly does: string;
  /** What the step waits for, once the owner has done their part. */
  readonly waits: string;
  readonly action: string | null;
  readonly to: '/agents' | '/compliance' | '/mandates' | '/keys/connect' | '/transactions' | null;
};

/** The texts of each step. */
export const aboutStep: Readonly<Record<StepName, About>> = {
  identity: {
    title: 'Submit your identity',
    does: 'Payments are made only for people whose identity has been approved.',
    waits: 'Submitted. An operator reviews it next.',
    action: 'Your identity',
    to: '/compliance',
  },
  mandate: {
    title: 'Sign a mandate',
    does: 'It limits what your agent may spend, per payment and in total.',
    waits: '',
    action: 'Mandates',
    to: '/mandates',
  },
  agent: {
    title: 'Start a gateway',
    does: 'Give it its own wallet key and an API key. It then appears under Agents, where you sign for it.',
    waits: 'You have an API key. This step is done once a gateway has used it.',
    action: 'Agents',
    to: '/agents',
  },
  client: {
    title: 'Connect your client',
    does: 'Claude, ChatGPT, Cursor, VS Code or your own program. Done once your agent has requested something that costs money.',
    waits: '',
    action: 'Show how',
    to: '/keys/connect',
  },
  payment: {
    title: 'First payment',
    does: 'Ask your agent to use a paid tool. The payment appears in your transactions.',
    waits: '',
    action: 'Transactions',
    to: '/transactions',
  },
  live: {
    title: 'Go live',
    does: 'Pay with real money: see “Run the system in production” in the documentation. The demo and test chains use only test money.',
    waits: '',
    action: null,
    to: null,
  },
};
