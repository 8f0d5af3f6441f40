import type { Requirement } from '../requirement.ts';

/** How one version of a credential follows another. */
export const controlPlaneRotationRequirements = [
  {
    id: 'control-plane.rotation.confirmed',
    source: 'issue 16, line 7',
    behaviour:
      'POST /v1/vault/credentials/:id/rotations has the operation that the connector names give the service a ' +
      'value that the enclave made by the rules of rotation_policy; once that is done, and the check that the ' +
      'connector may name has confirmed it, it alone is used.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.secret',
    source: 'issue 16, line 7',
    behaviour:
      'The new value is in no table, log, record, answer or webhook, in no form: it leaves the enclave in the ' +
      'JSON body of that operation alone.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.failed',
    source: 'issue 16, line 7',
    behaviour:
      'What the service surely did not do (denied, not sent, a client error) leaves the value before in use and ' +
      'drops the next one.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.check',
    source: 'issue 16, line 7',
    behaviour:
      'Where the connector names a check action, that is asked with the next value unless the service surely did ' +
      'nothing; only where it completes is that value used, whatever the operation answered.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.check.decided',
    source: 'issue 16, line 7',
    behaviour:
      'A rotation whose check its policy would deny, or ask a person about, is 409 and says so, before anything is asked of the service.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.check.asker',
    source: 'issue 16, line 7',
    behaviour:
      'Where the key that asked for a rotation is revoked, a check that somebody else asks for is done under their key, and confirms.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.unresolved',
    source: 'issue 16, line 7',
    behaviour:
      'Without a check, or where it tells nothing, both values are kept and the one before is used, until a ' +
      'person says which is valid or has it checked again; what is not known never drops a value.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.meanwhile',
    source: 'issue 16, line 7',
    behaviour:
      'While a rotation is under way a second one, a new value and a deletion are 409 rotation_under_way, and ' +
      'one of any number at once is begun; an unresolved one ends with a new value or with the deletion.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.only-so',
    source: 'issue 16, line 7',
    behaviour: 'Nobody may ask for the action that rotates by POST /v1/executions.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.named',
    source: 'issue 16, line 7',
    behaviour:
      'A connector names what rotates its credential; what could not work (no such operation, a body or security ' +
      'that cannot be had, params that its schema refuses), or would put the value into a URL or header, is ' +
      'refused when it is made. Its policy may be made later: until then a rotation is 409.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.durable',
    source: 'issue 16, line 7',
    behaviour:
      'kill -9 of a process or of the enclave in any state loses neither value and asks the service once.',
    status: 'tested',
  },
  {
    id: 'control-plane.rotation.root',
    source: 'issue 16, line 7',
    behaviour: 'Next values come along under a new root secret, also those that come into use meanwhile.',
    status: 'tested',
  },
] as const satisfies readonly Requirement[];
