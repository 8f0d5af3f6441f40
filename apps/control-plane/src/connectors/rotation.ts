import type { ConnectorType, Definition } from '@countersign/protocol/control/connector';
import {
  nextPlaceholder,
  type RotationOperation,
  type ValueRules,
} from '@countersign/protocol/control/rotation';
import { readParams } from '../policy/params.ts';
import type { CheckParams, Misfit } from './check-params.ts';
import type { StoredConnector } from './store.ts';
import { whyNeverDone } from './usable.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns what is wrong with a connector's rotation, with its path; null if nothing is. */
export function whatIsWrongWith(
  rotation: RotationOperation,
  {
    type,
    definition,
    credentialId,
  }: { type: ConnectorType; definition: unknown; credentialId: string | null },
): string | null {
  if (credentialId === null) return 'rotation: needs a credential_id';
  if (type !== 'http') return 'rotation: is only for connectors of type http';
  const document = definition as Definition<'http'>;
  const { action, param, params, check_action: check } = rotation;
  if (Object.hasOwn(params, param)) return `rotation.params.${param}: is where the new value goes`;
  if (check === action) return 'rotation.check_action: is the operation itself';
  const whole = readParams({ ...params, [param]: nextPlaceholder });
  if (!whole.ok) return `rotation.${whole.error}`;
  const checked = readParams(rotation.check_params);
  if (!checked.ok) return `rotation.check_params: ${checked.error}`;
  const operation = operationOf(document, action);
  if (operation === null) return 'rotation.action: is not in the definition';
  const never = whyNeverDone({ type, definition }, true, action);
  if (never !== null) return `rotation.action: can never run: ${never}`;
  if (!isBodyMember(document, operation, param))
    return `rotation.param: ${param} is not in the JSON body; a path, query or header is no place for a secret`;
  return check === undefined ? null : whatIsWrongWithCheck(document, check);
}

function whatIsWrongWithCheck(definition: Definition<'http'>, check: string): string | null {
  const checking = operationOf(definition, check);
  if (checking === null) return 'rotation.check_action: is not in the definition';
  const never = whyNeverDone({ type: 'http', definition }, true, check);
  if (never !== null) return `rotation.check_action: can never run: ${never}`;
  return wantsCredential(definition, checking.operation)
    ? null
    : 'rotation.check_action: works without a credential, so it proves nothing: add security to it';
}

type Rotating = Pick<StoredConnector, 'id' | 'tenantId' | 'type' | 'definition'>;

/** Why the definition refuses what a rotation is asked with, where a new value is made by these rules; null where it does not. */
export async function whyMisfit(
  checkParams: CheckParams,
  connector: Rotating,
  { action, param, params, check_action: check, check_params }: RotationOperation,
  rules: ValueRules,
): Promise<Misfit | null> {
  const asked = await checkParams(connector, action, { ...params, [param]: sampleOf(rules) });
  if (asked?.kind === 'busy') return asked;
  if (asked !== null)
    return asked.why.startsWith(`params.${param}:`)
      ? { ...asked, why: `rotation.${asked.why} (as rotation_policy.value of the credential has it made)` }
      : { ...asked, why: `rotation.${asked.why}` };
  const checked = check === undefined ? null : await checkParams(connector, check, check_params);
  return checked === null || checked.kind === 'busy'
    ? checked
    : { ...checked, why: `rotation.check_${checked.why}` };
}

/** A value of these rules that is no secret: characters from everywhere in the alphabet. */
const sampleOf = ({ length, alphabet }: ValueRules): string =>
  Array.from({ length }, (_, at) => alphabet[Math.floor((at * alphabet.length) / length)]).join('');

type Found = { readonly path: string; readonly item: Json; readonly operation: Json };

function operationOf({ paths }: Definition<'http'>, id: string): Found | null {
  for (const [path, item] of Object.entries(paths))
    for (const operation of Object.values(item))
      if (isObject(operation) && operation['operationId'] === id) return { path, item, operation };
  return null;
}

function isBodyMember(
  document: Definition<'http'>,
  { path, item, operation }: Found,
  param: string,
): boolean {
  const declared = [item['parameters'], operation['parameters']]
    .flatMap((some) => (Array.isArray(some) ? (some as unknown[]) : []))
    .map((one) => resolved(document, one));
  return !path.includes(`{${param}}`) && !declared.some((one) => isObject(one) && one['name'] === param);
}

/**
 * Resolves one step of a reference to a parameter among the components. The broker refuses at run time what
 * is not found here.
 */
function resolved(document: Definition<'http'>, value: unknown): unknown {
  const ref = isObject(value) ? value['$ref'] : undefined;
  if (typeof ref !== 'string') return value;
  const name = ref.replace('#/components/parameters/', '');
  const components = document['components'];
  const parameters = isObject(components) ? components['parameters'] : undefined;
  return isObject(parameters) && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
}

/** Returns whether no call of it goes without a credential. */
function wantsCredential(document: Definition<'http'>, operation: Json): boolean {
  const security = operation['security'] ?? document['security'];
  if (Array.isArray(security))
    return security.length > 0 && security.every((way) => isObject(way) && Object.keys(way).length > 0);
  const components = document['components'];
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  return isObject(schemes) && Object.keys(schemes).length > 0;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
