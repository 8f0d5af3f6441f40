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
    id: 'system.deploy.chart.schema',
    source: 'issue 20, 4',
    behaviour:
      'Every document of the chart holds by the schema of its kind in Kubernetes’ OpenAPI, and has no field that the schema does not know.',
    status: 'tested',
  },
  {
    id: 'system.deploy.chart.life',
    source: 'issue 20, 4',
    behaviour:
      'npm run images:rehearse -- --chart treats the containers as the kubelet does: probes of the chart at their periods, work for what is ready alone, preStop before SIGTERM. Everything is replaced, with ' +
      '--from by a later image, while agents call and pay: no call is without its answer, and no container would have been restarted.',
    status: 'tested',
  },
  {
    id: 'system.images.build',
    source: 'issue 20, 3',
    behaviour:
      'Both images are of one Dockerfile that names no host, run as a numbered user without a shell between, and keep no file that ' +
      'differs from build to build; a program that the build lacks is told in one sentence.',
    status: 'tested',
  },
  {
    id: 'system.images.bill',
    source: 'issue 20, 3',
    behaviour:
      'The bill of materials of an image names the packages of Debian, of npm (bundled ones too) and Node.js that lie in it, holds by ' +
      'CycloneDX’s schema, and is the same for the same image.',
    status: 'tested',
  },
  {
    id: 'system.images.provenance',
    source: 'issue 20, 3',
    behaviour:
      'The provenance of an image is an in-toto statement with SLSA’s predicate about its digest, commit and base. It is signed for the commit of a checkout without changes alone.',
    status: 'tested',
  },
  {
    id: 'system.images.sandbox',
    source: 'issue 20, 3',
    behaviour:
      'In the Compose file the enclave alone may make namespaces, by a filter of system calls of its own; what the host lacks is ' +
      'logged at its start.',
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
