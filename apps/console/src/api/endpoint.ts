import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { BodyInputOf, DataOf, QueryInputOf, Route, RouteTable } from '@countersign/protocol/route';

type NameOf<R extends Route> = `${R['method']} ${R['path']}`;

/** An endpoint of a route table, named as its route says: `POST /api/mandates/intent/list`. */
export type EndpointIn<Routes extends RouteTable> = { [K in keyof Routes]: NameOf<Routes[K]> }[keyof Routes];

type RouteIn<Routes extends RouteTable, E> = {
  [K in keyof Routes]: NameOf<Routes[K]> extends E
    ? E extends NameOf<Routes[K]>
      ? Routes[K]
      : never
    : never;
}[keyof Routes];

type ParamsIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | ParamsIn<After>
    : Rest
  : never;

type Params<Path extends string> = [ParamsIn<Path>] extends [never]
  ? object
  : { readonly params: Readonly<Record<ParamsIn<Path>, string>> };
type Body<R extends Route> = BodyInputOf<R> extends undefined ? object : { readonly body: BodyInputOf<R> };
type Query<R extends Route> =
  QueryInputOf<R> extends undefined ? object : { readonly query: QueryInputOf<R> };

/** The input of a call: `params`, `body`, `query`, as far as its route has them. */
export type InputIn<Routes extends RouteTable, E> = Params<RouteIn<Routes, E>['path']> &
  Body<RouteIn<Routes, E>> &
  Query<RouteIn<Routes, E>>;

/** The data of the answer. */
export type AnswerIn<Routes extends RouteTable, E> = DataOf<RouteIn<Routes, E>>;

type Dashboard = typeof dashboardRoutes;

/** An endpoint of the dashboard, typed by the protocol's route table. */
export type Endpoint = EndpointIn<Dashboard>;
export type InputOf<E extends Endpoint> = InputIn<Dashboard, E>;
/** `data` of the answer's envelope. */
export type AnswerOf<E extends Endpoint> = AnswerIn<Dashboard, E>;
