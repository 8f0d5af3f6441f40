import type { Context, Provider } from 'oidc-provider';

/** Shows an error page for a request that cannot be answered. It repeats no text of the request. */
export function errorPage(ctx: Context, error: string): void {
  ctx.set(
    'content-security-policy',
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  );
  ctx.type = 'html';
  const code = /^[a-z_]{1,64}$/.test(error) ? error : 'server_error';
  ctx.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not connected · Countersign</title>
<h1>Not connected</h1>
<p>${words[code] ?? 'The client sent a request that cannot be answered.'} Nothing was allowed.</p>
<p>Go back to the client and connect it again. If that does not help, tell whoever makes it: <code>${code}</code>.</p>
</html>
`;
}

const words: Readonly<Record<string, string>> = {
  invalid_client: 'This client is not known, or its metadata document could not be read.',
  invalid_redirect_uri: 'The client asked to send you to an address that it is not registered with.',
  invalid_target: 'The client named no gateway that is known here.',
  server_error: 'Something went wrong here.',
};

/**
 * An error of a request for authorization that nobody has consented to leads no browser to a client that nobody has
 * connected (RFC 9700, 4.11.2): whoever registers one could send people anywhere from our own address.
 */
export function keepErrorsHere(
  provider: Provider,
  isConnected: (clientId: string) => Promise<boolean>,
): void {
  const failed = new WeakMap<Context, string>();
  const note = (ctx: Context, { error }: { error?: string }) => void failed.set(ctx, error ?? 'server_error');
  provider.on('authorization.error', note);
  provider.on('server_error', note);
  provider.use(async (ctx, next) => {
    await next();
    const error = failed.get(ctx);
    if (error === undefined || ctx.oidc.route !== 'authorization') return;
    const { client } = ctx.oidc;
    if (client !== undefined && (await isConnected(client.clientId))) return;
    if (ctx.status < 400) ctx.status = 400;
    ctx.remove('location');
    errorPage(ctx, error);
  });
}
