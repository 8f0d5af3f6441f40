import type { Address } from '@countersign/protocol/address';
import { firstRow, type Pool, statement } from '@countersign/service/sql';

// What another process forgets at this very moment is passed over.
const forget = statement<{ forgotten: number }>(
  'gateway.forget-old',
  `with payments as (
     delete from gateway.payment where wallet = $1 and nonce in (
       select nonce from gateway.payment where wallet = $1 and forget_at <= $2 and not unresolved
       limit $3 for update skip locked
     ) returning 1
   ), approvals as (
     delete from gateway.approval where wallet = $1 and id in (
       select id from gateway.approval where wallet = $1 and forget_at <= $2 limit $3 for update skip locked
     ) returning 1
   ), calls as (
     delete from gateway.call where wallet = $1 and key in (
       select key from gateway.call where wallet = $1 and forget_at <= $2 limit $3 for update skip locked
     ) returning 1
   ), claims as (
     delete from gateway.claim where wallet = $1 and held_until <= $2
   ), offers as (
     delete from gateway.offer where wallet = $1 and until <= $2
   )
   select (select count(*) from payments) + (select count(*) from approvals) + (select count(*) from calls)
     as forgotten`,
);

/** Forgets at most `limit` payments, approvals and answers that are due `now`; gives how many. */
export async function forgetDue(pool: Pool, wallet: Address, now: number, limit: number): Promise<number> {
  return (await firstRow(pool, forget, [wallet, now, limit]))?.forgotten ?? 0;
}
