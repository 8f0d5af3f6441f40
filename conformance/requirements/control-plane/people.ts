import type { Requirement } from '../requirement.ts';

const source = 'issue 18, 3; decision 0037';

/** People whom a dashboard signed in, at the control plane. */
export const controlPlanePeopleRequirements = [
  {
    id: 'control-plane.people.assertion',
    source,
    behaviour:
      'POST /v1/people/sign-in {assertion} answers {token, expires_in: 900, name}. The assertion is as the vault’s, with aud countersign-control-plane, and counts ' +
      'once. POST /v1/people/end revokes the person’s tokens and what they approved in advance.',
    status: 'tested',
  },
  {
    id: 'control-plane.people.clock-skew',
    source,
    behaviour: 'The clocks of dashboard and control plane may differ by 60 seconds either way.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
