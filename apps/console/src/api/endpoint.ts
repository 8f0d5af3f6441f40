import type { dashboardRoutes } from '@countersign/protocol/dashboard/routes';
import type { BodyInputOf, DataOf, QueryInputOf, Route } from '@countersign/protocol/route';

type Routes = typeof dashboardRoutes;
type NameOf<R extends Route> = `${R['method']} ${R['path']}`;

/** An endpoint, named as its route says: `POST /api/mandates/intent/list`. The protocol's route table types it. */
export type Endpoint = { [K in keyof Routes]: NameOf<Routes[K]> }[keyof Routes];

type RouteOf<E extends Endpoint> = {
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

/** What a call of this endpoint needs: `params`, `body`, `query`, as far as its route has them. */
export type InputOf<E extends Endpoint> = Params<RouteOf<E>['path']> & Body<RouteOf<E>> & Query<RouteOf<E>>;

/** `data` of the answer's envelope. */
export type AnswerOf<E extends Endpoint> = DataOf<RouteOf<E>>;
