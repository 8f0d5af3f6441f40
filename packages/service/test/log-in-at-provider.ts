/** What the provider put into the redirect URI. */
export type Returned = Readonly<Record<string, string>>;

/** Logs in at a real provider as `login` and allows what is asked; gives what the browser is led `back` with. */
export async function logInAt(url: URL, login: string, back: string): Promise<Returned> {
  const jar = new Map<string, string>();
  const visit = async (to: URL, form?: Readonly<Record<string, string>>): Promise<URL | string> => {
    const response = await fetch(to, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location');
    return location === null ? response.text() : new URL(location, to);
  };
  let at: URL = url;
  for (let steps = 0; steps < 20; steps += 1) {
    if (at.href.startsWith(back)) return Object.fromEntries(at.searchParams);
    const next = await visit(at);
    if (next instanceof URL) at = next;
    else {
      const prompt = next.includes('value="login"') ? { prompt: 'login', login, password: 'any' } : null;
      const sent = await visit(at, prompt ?? { prompt: 'consent' });
      if (!(sent instanceof URL)) throw new Error('the provider did not go on');
      at = sent;
    }
  }
  throw new Error('the provider leads nowhere');
}
