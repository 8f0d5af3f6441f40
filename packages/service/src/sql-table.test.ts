import { expect, test } from 'vitest';
import { placeholders, sqlTable } from './sql-table.ts';

const alerts = sqlTable('dashboard.alert', 'a', ['id', 'mandateId', 'createdAt']);

test('a table reads and writes its columns under the names of fields', () => {
  expect(alerts.from).toBe('dashboard.alert a');
  expect(alerts.columns).toEqual({ id: 'a.id', mandateId: 'a.mandate_id', createdAt: 'a.created_at' });
  expect(alerts.list('mandateId', 'id')).toBe('a.mandate_id as "mandateId", a.id as "id"');
  expect(`${alerts.insertInto('id', 'createdAt')} values (${placeholders(['id', 'createdAt'])})`).toBe(
    'insert into dashboard.alert as a (id, created_at) values ($1, $2)',
  );
});
