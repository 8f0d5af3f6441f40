import { logInAt, type Returned } from '../../../../packages/service/test/log-in-at-provider.ts';
import type { Json, Reply, TestDashboard } from '../dashboard.ts';

export const consoleOrigin = 'https://console.example.com';
export const redirectUri = `${consoleOrigin}/sign-in/return`;

const cookieOf = (reply: Reply): string => (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** A browser at the console that goes to the provider and comes back; `origin` is the page that asks. */
export function browserAt(dashboard: TestDashboard) {
  const ask = (path: string, body: Json, cookie = '', origin = consoleOrigin) =>
    dashboard.request('POST', path, { body, headers: { origin, cookie } });

  async function begin(origin = consoleOrigin) {
    const reply = await ask('/api/auth/provider/begin', {}, '', origin);
    return { reply, cookie: cookieOf(reply), url: new URL(reply.data?.url ?? 'none:') };
  }
  const comeBack = (returned: Returned, cookie: string, origin = consoleOrigin) =>
    ask('/api/auth/provider/login', returned, cookie, origin);
  return { begin, comeBack };
}

/** Logs in at a real provider as `login` and allows what is asked; gives what the browser is led back with. */
export const logInAtProvider = (url: URL, login: string): Promise<Returned> =>
  logInAt(url, login, redirectUri);
