import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Logger } from '@countersign/service/logger';
import { type HttpServer, startHttpServer } from '../http-server.ts';
import { newOrder, ordersOf } from './orders.ts';
import { accountPage, loginPage, loginScript } from './pages.ts';
import { style } from './style.ts';

/** The shop's one customer. */
export type Customer = { readonly username: string; readonly password: string };

type ShopOptions = {
  readonly host: string;
  readonly port: number;
  readonly customer: Customer;
  readonly log: Logger;
};

/** A small shop with a login form and orders behind it: somewhere for an agent to use a credential. */
export function startShop({ host, port, customer, log }: ShopOptions): Promise<HttpServer> {
  const sessions = new Set<string>();
  const orders = [...ordersOf(customer.username)];

  const logIn = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request));
    const isCustomer =
      form.get('username') === customer.username && form.get('password') === customer.password;
    if (!isCustomer) return answer(response, 401, 'text/html', loginPage('User name or password is wrong.'));
    const session = randomBytes(24).toString('base64url');
    sessions.add(session);
    redirect(response, '/account', `${cookie}=${session}; Path=/; HttpOnly; SameSite=Lax`);
  };
  const showAccount = (request: IncomingMessage, response: ServerResponse) =>
    sessions.has(sessionOf(request))
      ? answer(response, 200, 'text/html', accountPage(customer.username, orders))
      : redirect(response, '/login');
  const placeOrder = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (request.headers.authorization !== basicOf(customer))
      return say(response, 401, { error: 'who are you?' });
    const order = newOrder(body, orders.length);
    if (order === null) return say(response, 400, { error: 'goods and cents are needed' });
    orders.unshift(order);
    return say(response, 201, order);
  };
  const logOut = (request: IncomingMessage, response: ServerResponse) => {
    sessions.delete(sessionOf(request));
    redirect(response, '/login', `${cookie}=; Path=/; Max-Age=0`);
  };

  const routes: Readonly<Record<string, Route>> = {
    'GET /': (_, response) => redirect(response, '/account'),
    'GET /login': (_, response) => answer(response, 200, 'text/html', loginPage(null)),
    'POST /login': logIn,
    'GET /account': showAccount,
    'POST /logout': logOut,
    'POST /api/orders': placeOrder,
    'GET /shop.css': (_, response) => answer(response, 200, 'text/css', style),
    'GET /shop.js': (_, response) => answer(response, 200, 'text/javascript', loginScript),
  };
  return startHttpServer({ host, port }, log, async (request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const route = routes[`${request.method} ${path}`];
    if (route === undefined) return answer(response, 404, 'text/plain', 'There is no such page.\n');
    await route(request, response);
  });
}

type Route = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const cookie = 'shop-session';

/** RFC 7617. */
const basicOf = ({ username, password }: Customer): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const sessionOf = ({ headers }: IncomingMessage): string =>
  /(?:^|; )shop-session=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '';

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
  response.end(body);
}

const say = (response: ServerResponse, status: number, value: object): void =>
  answer(response, status, 'application/json', JSON.stringify(value));

function redirect(response: ServerResponse, to: string, setCookie?: string): void {
  response.writeHead(303, { location: to, ...(setCookie !== undefined && { 'set-cookie': setCookie }) });
  response.end();
}
