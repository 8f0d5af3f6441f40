import type { Operation } from '@countersign/protocol/vault/operation';
import { factsOf, factsText } from './facts.ts';
import type { ObservedTarget } from './observation.ts';
import { judge } from './review.ts';

const site = 'https://site.example';
const field = {
  tag: 'input',
  type: 'password',
  autocomplete: 'current-password',
  names: ['Password'],
  visible: true,
};
const target: ObservedTarget = {
  ...field,
  frameUrl: `${site}/login`,
  field: 'password',
  covered: false,
  link: `${site}/next`,
  form: { action: `${site}/session`, method: 'POST', fields: [field] },
};

const operations: readonly Operation[] = [
  { operation_type: 'navigate', value: `${site}/orders` },
  { operation_type: 'click', selector: '#go' },
  { operation_type: 'fill', selector: '#password', value: '{{CREDENTIAL.password}}' },
  { operation_type: 'extract', selector: 'main' },
  { operation_type: 'execute_script', value: 'return document.querySelector("h1").textContent' },
];

/** The engine compiles an expression to machine code when it runs the second time; later rounds are no faster. */
const rounds = 2;

/** Reviews operations of nobody, so that the first ones of a session do not wait for the engine to compile: 20 ms at first. */
export function warmUpReview(): void {
  for (let round = 0; round < rounds; round++)
    for (const operation of operations) {
      const facts = factsOf(
        {
          operation,
          task: 'Log in and read the page',
          approval: 'auto',
          allowedUrls: [site],
          credentials: 1,
          credential: { type: 'username_password', allowedUrls: [site] },
          observation: {
            url: `${site}/login`,
            target,
            touched: false,
            reading: { nodes: 1, characters: 10 },
          },
        },
        { commit: () => '', mask: (text) => text },
      );
      judge(facts);
      factsText(facts);
    }
}
