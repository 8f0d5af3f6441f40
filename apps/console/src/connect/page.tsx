import { useState } from 'react';
import { rememberedGateway, rememberGateway } from '../session/memory.ts';
import { Choice } from '../ui/choice.tsx';
import { Field } from '../ui/field.tsx';
import { CopyableText } from '../ui/copyable-text.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { type Client, clientNames, isGatewayUrl, isOnLoopback, isToken, snippetOf } from './snippets.ts';

const usual = 'http://127.0.0.1:4020/mcp';

/** Explains how to connect an agent's client to the gateway: what to paste, and where. */
export function ConnectPage() {
  const [url, setUrl] = useState(rememberedGateway() ?? usual);
  // In this page only: a token pays.
  const [token, setToken] = useState('');
  const [client, setClient] = useState<Client>('claudeCode');
  const change = (next: string) => {
    setUrl(next);
    if (isGatewayUrl(next.trim())) rememberGateway(next.trim());
  };
  return (
    <Page
      title="Connect your client"
      about="Your agent connects to the gateway by MCP. It holds a gateway token, but neither your wallet’s key nor your API key."
    >
      <Section title="Your gateway">
        <form
          aria-label="Your gateway"
          className="grid gap-5 px-5 py-5 sm:grid-cols-2"
          onSubmit={(event) => event.preventDefault()}
        >
          <Field
            label="Address"
            hint="Ends in /mcp."
            name="gatewayUrl"
            value={url}
            onChange={({ target }) => change(target.value)}
            spellCheck={false}
            autoComplete="off"
            maxLength={300}
            error={isGatewayUrl(url.trim()) ? null : 'Enter an address such as http://127.0.0.1:4020/mcp.'}
          />
          <Field
            label="Token"
            hint="One of GATEWAY_AUTH_TOKENS, without its name. It stays in this page."
            name="gatewayToken"
            value={token}
            onChange={({ target }) => setToken(target.value)}
            spellCheck={false}
            autoComplete="off"
            maxLength={300}
            error={
              token === '' || isToken(token.trim())
                ? null
                : 'This is not a token: it contains other characters.'
            }
          />
        </form>
      </Section>
      <Section title="Your client">
        <div className="grid gap-5 px-5 py-5">
          <Choice label="Client" names={clientNames} value={client} onChoose={setClient} />
          <How client={client} url={url.trim()} token={token.trim()} />
        </div>
      </Section>
    </Page>
  );
}

function How({ client, url, token }: { client: Client; url: string; token: string }) {
  if (client === 'chatGpt') return <ChatGpt url={url} />;
  if (!isGatewayUrl(url) || (token !== '' && !isToken(token))) {
    return <Notice tone="warn">Correct the address and the token first.</Notice>;
  }
  const snippet = snippetOf(client, { url, token: token === '' ? 'YOUR_TOKEN' : token });
  if (snippet === null) return null;
  return (
    <>
      <p className="text-sm text-pretty text-muted">{snippet.place}</p>
      <CopyableText
        label={clientNames[client]}
        text={snippet.text}
        copyLabel={`Copy for ${clientNames[client]}`}
        whole
      />
      {token === '' && snippet.text.includes('YOUR_TOKEN') && (
        <Notice>Enter your token above, or replace YOUR_TOKEN with it.</Notice>
      )}
      {client === 'claudeDesktop' && (
        <p className="text-sm text-pretty text-muted">
          Claude Desktop starts local programs; mcp-remote, which npx downloads, forwards to the gateway.
          Connectors in Claude Desktop and on claude.ai accept no token.
        </p>
      )}
    </>
  );
}

/** Says what is missing instead of a snippet that could not work. */
const ChatGpt = ({ url }: { url: string }) => (
  <div className="grid gap-3 text-sm text-pretty">
    <p className="font-medium">ChatGPT cannot use this gateway yet.</p>
    <ul className="list-disc space-y-1 pl-4 text-muted">
      <li>
        It calls from OpenAI’s servers, so it needs a public https address
        {isOnLoopback(url) ? '; yours is on this machine alone' : ''}.
      </li>
      <li>It signs in with OAuth, and this gateway accepts only tokens.</li>
      <li>
        Never expose a gateway without a token to make this work: anybody who finds the address could pay with
        your wallet.
      </li>
    </ul>
  </div>
);
