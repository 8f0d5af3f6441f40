import type { Requirement } from '../requirement.ts';

/** How it is deployed and kept: Compose, Helm, several nodes, backup. */
export const systemProductionRequirements = [
  {
    id: 'system.deploy.compose',
    source: 'page 0, Storage',
    behaviour:
      'deploy/compose.yaml runs two of each service and one enclave behind a balancer; it sets every variable that a ' +
      'service needs, none that it does not know, and no default password.',
    status: 'tested',
  },
  {
    id: 'system.deploy.chart',
    source: 'page 0, Storage',
    behaviour:
      'The Helm chart runs several of dashboard and gateway and one pod of enclave, vault and control plane, with ' +
      'probes, disruption rules and network policies that deny what is not named.',
    status: 'tested',
  },
  {
    id: 'system.production.two-nodes',
    source: 'page 0, Storage',
    behaviour:
      'With two processes of each service on one PostgreSQL, one of each can be killed under load: nothing acknowledged ' +
      'is lost, nothing is done twice, and work for one at a time passes on within seconds.',
    status: 'tested',
  },
  {
    id: 'system.production.backup',
    source: 'page 0, Storage; page 3, Audit log',
    behaviour:
      'A copy of the database and then one of the enclave’s directory, restored into an empty place, give back ' +
      'credentials and the whole log; a log older than its root on chain is refused.',
    status: 'tested',
  },
  {
    id: 'system.enclave.release',
    source: 'issue 16, Done means',
    behaviour:
      'A vault or control plane that meets an enclave of another release, whose answer it cannot read, fails that call and logs why.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
