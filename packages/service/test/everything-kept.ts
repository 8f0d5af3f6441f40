import { Client } from 'pg';

const ours = `schemaname not in ('pg_catalog', 'information_schema')`;

/** Every row of every table of a service, as the text of all its columns: what a thief of the database reads. */
export async function everythingKept(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where ${ours}`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(`select t::text as row from ${name} t`);
      texts.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    // What the planner remembers of columns are values of them too.
    const { rows: statistics } = await client.query(`select s::text as row from pg_stats s where ${ours}`);
    return [...texts, ...statistics.map(({ row }) => row)].join('\n');
  } finally {
    await client.end();
  }
}

/** Which of these texts stand in it: as they are, or in the digits of bytes. */
export const foundIn = (kept: string, texts: readonly string[]): readonly string[] =>
  texts.filter((text) =>
    [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').replace(/=+$/, '')].some(
      (form) => kept.includes(form),
    ),
  );
