import { expect, test } from 'vitest';
import { isRolledBack } from './rolled-back.ts';

const pay = 'update invoice set paid = true';

test.each([
  [pay, '23505', true],
  [pay, '40001', true],
  [pay, '57014', true],
  ['with done as (select 1) insert into invoice select * from done', '22P02', true],
  // SQLSTATEs that say that the connection, the server or the end of the transaction was lost.
  [pay, '40003', false],
  [pay, '08000', false],
  [pay, '08006', false],
  [pay, '08007', false],
  [pay, '57P01', false],
  [pay, '57P02', false],
  [pay, '57P03', false],
  // No SQLSTATE that PostgreSQL has.
  [pay, '', false],
  // What these ran may have committed before the error.
  ['call pay_all()', '23505', false],
  ['CALL pay_all()', '23505', false],
  ['do $$ begin commit; perform 1 / 0; end $$', '22012', false],
  [' \n-- pays\n/* all /* of */ them */ Call pay_all()', '23505', false],
  ['/* never ends call pay_all()', '42601', false],
  [';; call pay_all()', '23505', false],
  // Words that begin alike.
  ['double precision', '42601', true],
  ['callable', '42601', true],
])(
  'after %j the error %j says that it was rolled back: %j [control-plane.execution.outcome.database]',
  (sql, code, isBack) => {
    expect(isRolledBack(sql, code)).toBe(isBack);
  },
);
