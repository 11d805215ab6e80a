import type pg from 'pg'
import { randomBytes } from 'node:crypto'
import { sandboxMasterKey } from '../../local/embedded-postgres/database.ts'
import { merchantSecret } from '../../storage/sealed-places.ts'
import { createSecretBox } from '../../storage/secret-box.ts'

const PAGE = 10_000

/**
 * Adds this many merchants with three keys and all payment options each, as `malipo merchant create` does, but without
 * wallets. Uses SQL with triggers and foreign-key checks off: no process is running that would have to be notified.
 */
export async function addMerchants(client: pg.Client, dataDir: string, count: number): Promise<void> {
  const box = createSecretBox(await sandboxMasterKey(dataDir), { bytes: randomBytes })
  const tables = ['merchants', 'merchant_keys', 'merchant_options']
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
  await client.query(
    `alter table merchant_options drop constraint merchant_options_merchant_id_fkey;
     alter table merchant_keys drop constraint merchant_keys_merchant_id_fkey`,
  )
  for (let from = 1; from <= count; from += PAGE) await addPage(client, box, from, Math.min(from + PAGE - 1, count))
  await client.query(
    `alter table merchant_options add foreign key (merchant_id) references merchants (id);
     alter table merchant_keys add foreign key (merchant_id) references merchants (id)`,
  )
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`)
  await client.query('vacuum analyze merchants, merchant_keys, merchant_options')
}

async function addPage(
  client: pg.Client,
  box: ReturnType<typeof createSecretBox>,
  from: number,
  until: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into merchants (public_key, name, created_at)
     select 'pub_bench_' || n, 'Bench ' || n, now() from generate_series($1::int, $2::int) n order by n returning id`,
    [from, until],
  )
  const ids = rows.map(({ id }) => BigInt(id))
  await client.query(
    `insert into merchant_keys (merchant_id, kind, digest, created_at)
     select id, 'secret_key', sha256(convert_to('sec_' || substr(public_key, 5), 'UTF8')), now()
     from merchants where id = any($1)`,
    [ids],
  )
  await client.query(
    `insert into merchant_keys (merchant_id, kind, sealed, created_at)
     select merchant_id, kind, sealed, now()
     from unnest($1::bigint[], $2::text[], $3::bytea[]) as r(merchant_id, kind, sealed)`,
    [
      ids.flatMap((id) => [id, id]),
      ids.flatMap(() => ['signing_key', 'webhook_secret']),
      ids.flatMap((id) => [
        box.seal('BENCHBENCHBENCHBENCH', merchantSecret('signing_key', id)),
        box.seal('whsec_YmVuY2ggYmVuY2ggYmVuY2ggYmVuY2ggYmVuY2g=', merchantSecret('webhook_secret', id)),
      ]),
    ],
  )
  await client.query(
    `insert into merchant_options (merchant_id, provider_code, transaction_type)
     select id, provider_code, transaction_type from unnest($1::bigint[]) as id, payment_options
     order by id, provider_code, transaction_type`,
    [ids],
  )
}
