import { bad, type Finding, note, ok } from '@countersign/local/doctor/finding';
import type { Result } from '@countersign/protocol/result';
import type { Env } from '@countersign/service/config';

type Configured = {
  /** Variables that are set only if the service runs here. */
  readonly marks: readonly string[];
  readonly read: (env: Env) => Promise<Result<unknown, readonly string[]>>;
};

const services = {
  gateway: {
    marks: ['EVM_PRIVATE_KEY', 'DOWNSTREAM_MCP_URLS', 'HTTP_SERVICES', 'GATEWAY_AUTH_TOKENS'],
    read: async (env) => (await import('@countersign/gateway/config')).readGatewayConfig(env, 'http'),
  },
  dashboard: {
    marks: ['DASHBOARD_PUBLIC_URL', 'DASHBOARD_PORT', 'EVIDENCE_KEY', 'OPERATOR_ADDRESSES', 'OAUTH'],
    read: async (env) => (await import('@countersign/dashboard/config')).readConfig(env),
  },
  enclave: {
    marks: ['TEE_PROVIDER', 'ENCLAVE_DATA_DIR', 'AUDIT_ORIGIN', 'SANDBOX_ISOLATION'],
    read: async (env) => (await import('@countersign/enclave/launcher/config')).readConfig(env),
  },
  vault: {
    marks: ['VAULT_PORT', 'VAULT_HOST', 'VAULT_CONSOLE_ORIGIN', 'ANCHOR_PRIVATE_KEY'],
    read: async (env) => (await import('@countersign/vault/config')).readConfig(env),
  },
  'control-plane': {
    marks: ['CONTROL_TLS_CERT', 'CONTROL_PORT', 'WEBHOOK_SECRET'],
    read: async (env) => (await import('@countersign/control-plane/config')).readConfig(env),
  },
} as const satisfies Record<string, Configured>;

export type ConfiguredService = keyof typeof services;

/** The services of which a variable is set that no other reads. */
export const servicesOf = (env: Env): readonly ConfiguredService[] =>
  (Object.keys(services) as ConfiguredService[]).filter((name) =>
    services[name].marks.some((mark) => (env[mark] ?? '').trim() !== ''),
  );

/**
 * Returns whether a service would start with these variables; what is wrong with each, as the service itself
 * says it.
 */
export async function configurationFindings(
  service: ConfiguredService,
  env: Env,
): Promise<readonly Finding[]> {
  const config = await services[service].read(env);
  if (config.ok) return [ok(`${service}: its variables are right`), ...told(service, env)];
  return config.error.map((error) =>
    bad(`${service}: ${error} ("npx countersign ${service} --variables" lists them)`),
  );
}

/** Returns notes about a configuration that works but could be better. */
function told(service: ConfiguredService, env: Env): readonly Finding[] {
  const isSet = (name: string): boolean => (env[name] ?? '').trim() !== '';
  if (service === 'gateway' && !(isSet('COMPLIANCE_BASE_URL') && isSet('COMPLIANCE_API_KEY')))
    return [
      note(
        'gateway: every payment is refused until COMPLIANCE_BASE_URL and COMPLIANCE_API_KEY are set: create a key in the console',
      ),
    ];
  if (service === 'enclave' && (env['TEE_PROVIDER']?.trim() || 'simulated') === 'simulated')
    return [
      note(
        'enclave: TEE_PROVIDER is simulated, which does not protect against whoever controls the machine: set its hardware',
      ),
    ];
  return [];
}
