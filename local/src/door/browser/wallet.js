// The demo's wallet: one for each role, announced as any wallet is (EIP-6963, EIP-1193). Its keys are at the door.
import { ask, entrance, key } from './ask.js';
import { askPerson } from './question.js';
import './hands.js';

const no = (code) => Object.assign(new Error('the demo’s wallet says no'), { code });
const [declined, unsupported, unknownChain, failed] = [4001, 4200, 4902, -32603];

const textOf = (hex) =>
  new TextDecoder().decode(
    Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
  );

/** Who came by a link or by “Enter as” has said yes to one log-in already; the door counts. Null: the person is asked. */
async function signEntry(role, text) {
  if (entrance.role !== role) return null;
  entrance.role = null;
  return ask('/door/log-in', { role, text });
}

async function signLogIn(about, text) {
  const entered = await signEntry(about.role, text);
  return entered === null ? sign(about, { text }, { title: 'Sign this message?', text }) : entered.signature;
}

async function sign({ role, name }, wish, question) {
  if (!(await askPerson({ name, ...question }))) throw no(declined);
  const answer = await ask('/door/sign', { role, wish });
  if (answer === null) throw no(failed);
  return answer.signature;
}

const titles = {
  IntentMandate: 'Sign this mandate?',
  PaymentMandate: 'Approve this payment?',
  ExecutionDecision: 'Sign this decision?',
  AgentWallet: 'Let this wallet pay as this agent?',
};

function signTypedData(about, text) {
  const { domain, types, primaryType, message } = JSON.parse(text);
  const fields = (types[primaryType] ?? []).map(({ name }) => [name, [message[name]].flat().join('\n')]);
  const program = Object.entries(domain).map(([name, value]) => [name, String(value)]);
  const question = { title: titles[primaryType] ?? 'Sign this?', parts: [fields, program] };
  return sign(about, { typedData: { domain, types, primaryType, message } }, question);
}

function providerOf(about, chainId) {
  const chain = `0x${chainId.toString(16)}`;
  return {
    async request({ method, params = [] }) {
      switch (method) {
        case 'eth_requestAccounts':
        case 'eth_accounts':
          return [about.address.toLowerCase()];
        case 'eth_chainId':
          return chain;
        case 'wallet_switchEthereumChain':
          if (params[0]?.chainId !== chain) throw no(unknownChain);
          return null;
        case 'personal_sign':
          return signLogIn(about, textOf(params[0]));
        case 'eth_signTypedData_v4':
          return signTypedData(about, params[1]);
        default:
          throw no(unsupported);
      }
    },
    on() {},
    removeListener() {},
  };
}

const iconOf = (letter) =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" rx="7" fill="#3b51c9"/><text x="14" y="19" text-anchor="middle" font-family="system-ui,sans-serif" font-size="14" font-weight="600" fill="#fff">${letter}</text></svg>`,
  )}`;

async function announceAll() {
  const known = key() === null ? null : await ask('/door/roles');
  // The auditor has none.
  for (const about of known?.roles.filter(({ address }) => address !== null) ?? []) {
    const info = Object.freeze({
      uuid: crypto.randomUUID(),
      name: `Demo ${about.name}`,
      icon: iconOf(about.name[0]),
      rdns: `demo.countersign.${about.role}`,
    });
    const detail = Object.freeze({ info, provider: providerOf(about, known.chainId) });
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  }
}

void announceAll();
