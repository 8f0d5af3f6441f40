import type { Env } from '@countersign/service/config';

/**
 * One sentence where Node would ask a proxy for this machine’s own services, which cannot reach them; null otherwise. Node takes
 * no proxy unless it is told to, and what tells it is each version's own.
 */
export function whyProxied(env: Env, version: string = process.versions.node): string | null {
  const isSet = (name: string): boolean => (env[name] ?? env[name.toLowerCase()] ?? '').trim() !== '';
  if (!isTold(env, version) || !(isSet('HTTP_PROXY') || isSet('HTTPS_PROXY'))) return null;
  const exceptions = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/);
  return exceptions.includes('*') || exceptions.includes('127.0.0.1')
    ? null
    : 'Node asks a proxy for this machine’s own services, because NODE_USE_ENV_PROXY or --use-env-proxy is set: set NO_PROXY=127.0.0.1,localhost';
}

/**
 * As 20.19, 22.20, 22.23, 24.4 and 24.21 do when they are asked: none before 22.21, nor 23; of 24.0 to 24.4 the variable, whatever it
 * says; from then on the variable that says 1, or the option.
 */
function isTold(env: Env, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const said = env['NODE_USE_ENV_PROXY'] ?? '';
  if (major === 24 && minor < 5) return said !== '';
  if (major < 22 || major === 23 || (major === 22 && minor < 21)) return false;
  return said === '1' || /--use-env-proxy\b/.test(env['NODE_OPTIONS'] ?? '');
}
