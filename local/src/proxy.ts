import type { Env } from '@countersign/service/config';

/**
 * One sentence where Node would ask a proxy for this machine’s own services, which cannot reach them; null otherwise. Node takes
 * no proxy unless it is told to (`NODE_USE_ENV_PROXY`, Node 22.21 and 24.5).
 */
export function whyProxied(env: Env): string | null {
  const isSet = (name: string): boolean => (env[name] ?? env[name.toLowerCase()] ?? '').trim() !== '';
  const isTold = env['NODE_USE_ENV_PROXY'] === '1' || /--use-env-proxy\b/.test(env['NODE_OPTIONS'] ?? '');
  if (!isTold || !(isSet('HTTP_PROXY') || isSet('HTTPS_PROXY'))) return null;
  const exceptions = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/);
  return exceptions.includes('*') || exceptions.includes('127.0.0.1')
    ? null
    : 'Node asks a proxy for this machine’s own services, because NODE_USE_ENV_PROXY or --use-env-proxy is set: set NO_PROXY=127.0.0.1,localhost';
}
