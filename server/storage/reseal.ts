import type { AuditedPool } from './audited-pool.ts'
import { inTransaction, type Queryable } from './pool.ts'
import { ACCOUNT_ADDRESS } from '../domain/callback-tokens.ts'
import {
  DIGEST_KEY,
  approvalInput,
  callbackKeys,
  merchantSecret,
  railCallback,
  railSettings,
  rsaPrivateKey,
} from './sealed-places.ts'
import { WrongMasterKey, type SealedFor, type SecretBox } from './secret-box.ts'

/** How many secrets of each kind were resealed. */
export interface ResealCounts {
  readonly merchantSecrets: number
  readonly rsaKeys: number
  readonly digestKeys: number
  readonly railSettings: number
  readonly callbackKeys: number
  readonly railCallbacks: number
  readonly approvalInputs: number
  readonly accountMessages: number
  /** Secrets that were already sealed with the current master key. */
  readonly current: number
}

/** Neither master key opens the secret. */
export class NeitherKeyOpens extends Error {
  constructor({ purpose, owner }: SealedFor) {
    super(`neither master key opens the sealed ${purpose} of ${owner}`)
    this.name = 'NeitherKeyOpens'
  }
}

interface SealedRow {
  /** The key of its row, by which pages are ordered. */
  readonly key: bigint | string
  readonly place: SealedFor
  readonly sealed: Uint8Array
}

interface ResealedRow {
  readonly key: SealedRow['key']
  readonly sealed: Buffer
}

/** Where the secrets of one kind are stored. */
interface SealedTable {
  /** The page after this key, or the first page for `undefined`. An empty page is the end. */
  page(client: Queryable, after: SealedRow['key'] | undefined): Promise<SealedRow[]>
  replace(client: Queryable, rows: readonly ResealedRow[]): Promise<unknown>
}

type Part = Exclude<keyof ResealCounts, 'current'>

/**
 * Reseals every stored secret that was not sealed with the key of `box`, all of them or none. `former` opens what was
 * sealed with the previous master key. Idempotent: a second run finds nothing to do.
 * @throws NeitherKeyOpens; Error when a secret was altered, or belongs elsewhere
 */
export function reseal(pool: AuditedPool, box: SecretBox, former: SecretBox = box): Promise<ResealCounts> {
  return inTransaction(pool, async (client) => {
    // Does not block readers. A writer that still has the old key waits, and the next run finds its row.
    await client.query(
      'lock table merchant_keys, rsa_keys, digest_key, rail_accounts, rail_callbacks, account_messages in share row exclusive mode',
    )
    // Tokens are fetched anew.
    await client.query('delete from rail_tokens')
    const counts: Record<keyof ResealCounts, number> = {
      merchantSecrets: 0,
      rsaKeys: 0,
      digestKeys: 0,
      railSettings: 0,
      callbackKeys: 0,
      railCallbacks: 0,
      approvalInputs: 0,
      accountMessages: 0,
      current: 0,
    }
    for (const [part, sealedTable] of Object.entries(TABLES) as [Part, SealedTable][]) {
      for await (const rows of pagesOf(client, sealedTable)) {
        const opened = rows.map((row) => ({ ...row, secret: openWithEither(row.sealed, row.place, box, former) }))
        const old = opened.filter(({ sealed }) => !box.isCurrent(sealed))
        counts.current += rows.length - old.length
        counts[part] += old.length
        if (old.length === 0) continue
        await sealedTable.replace(
          client,
          old.map(({ key, place, secret }) => ({ key, sealed: box.seal(secret, place) })),
        )
      }
    }
    return counts
  })
}

/** One table holds two secrets for each merchant; paging bounds memory to one page. */
const PAGE_ROWS = 1_000

async function* pagesOf(client: Queryable, { page }: SealedTable): AsyncGenerator<SealedRow[]> {
  for (let rows = await page(client, undefined); rows.length > 0; rows = await page(client, rows.at(-1)?.key))
    yield rows
}

function openWithEither(sealed: Uint8Array, place: SealedFor, box: SecretBox, former: SecretBox): string {
  try {
    return box.open(sealed, place)
  } catch (error) {
    if (!(error instanceof WrongMasterKey) || former === box) throw error
  }
  try {
    return former.open(sealed, place)
  } catch (error) {
    throw error instanceof WrongMasterKey ? new NeitherKeyOpens(place) : error
  }
}

const TABLES: Readonly<Record<Part, SealedTable>> = {
  merchantSecrets: {
    async page(client, after = 0n) {
      const { rows } = await client.query<{
        id: bigint
        merchant_id: bigint
        kind: 'signing_key' | 'webhook_secret'
        sealed: Uint8Array
      }>(
        `select id, merchant_id, kind, sealed from merchant_keys where sealed is not null and id > $1
         order by id limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map(({ id, merchant_id, kind, sealed }) => ({
        key: id,
        place: merchantSecret(kind, merchant_id),
        sealed,
      }))
    },
    replace: replaceById('merchant_keys', 'sealed'),
  },
  rsaKeys: {
    async page(client, after = 0n) {
      const { rows } = await client.query<{ id: bigint; public_pem: string; sealed: Uint8Array }>(
        `select id, public_pem, sealed_private_pem as sealed from rsa_keys
         where sealed_private_pem is not null and id > $1 order by id limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map(({ id, public_pem, sealed }) => ({ key: id, place: rsaPrivateKey(public_pem), sealed }))
    },
    replace: replaceById('rsa_keys', 'sealed_private_pem'),
  },
  digestKeys: {
    async page(client, after) {
      if (after !== undefined) return [] // there is only one key
      const { rows } = await client.query<{ sealed: Uint8Array }>('select sealed from digest_key')
      return rows.map(({ sealed }) => ({ key: 0n, place: DIGEST_KEY, sealed }))
    },
    replace: (client, rows) => client.query('update digest_key set sealed = $1', [rows[0]?.sealed]),
  },
  railSettings: railAccountSecrets('sealed_settings', railSettings),
  callbackKeys: railAccountSecrets('sealed_callback_keys', callbackKeys),
  railCallbacks: {
    async page(client, after = 0n) {
      const { rows } = await client.query<{ id: bigint; order_id: string; sealed: Uint8Array }>(
        `select id, order_id, sealed_body as sealed from rail_callbacks
         where sealed_body is not null and id > $1 order by id limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map(({ id, order_id, sealed }) => ({ key: id, place: railCallback(order_id), sealed }))
    },
    replace: replaceById('rail_callbacks', 'sealed_body'),
  },
  approvalInputs: {
    async page(client, after = 0n) {
      const { rows } = await client.query<{ id: bigint; digest: string; sealed: Uint8Array }>(
        `select id, digest, sealed_input as sealed from approvals
         where sealed_input is not null and id > $1 order by id limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map(({ id, digest, sealed }) => ({ key: id, place: approvalInput(digest), sealed }))
    },
    replace: replaceById('approvals', 'sealed_input'),
  },
  accountMessages: {
    async page(client, after = 0n) {
      const { rows } = await client.query<{ id: bigint; sealed: Uint8Array }>(
        `select id, sealed_body as sealed from account_messages
         where sealed_body is not null and id > $1 order by id limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map(({ id, sealed }) => ({ key: id, place: railCallback(ACCOUNT_ADDRESS), sealed }))
    },
    replace: replaceById('account_messages', 'sealed_body'),
  },
}

function replaceById(table: string, column: string): SealedTable['replace'] {
  return (client, rows) =>
    client.query(
      `update ${table} t set ${column} = r.sealed from unnest($1::bigint[], $2::bytea[]) as r(id, sealed)
       where t.id = r.id`,
      [rows.map(({ key }) => key), rows.map(({ sealed }) => sealed)],
    )
}

/** Pages over one sealed column of rail_accounts, for the rail accounts where it is set. */
function railAccountSecrets(
  column: 'sealed_settings' | 'sealed_callback_keys',
  placeOf: (railAccount: string) => SealedFor,
): SealedTable {
  return {
    async page(client, after = '') {
      const { rows } = await client.query<{ name: string; sealed: Uint8Array }>(
        `select name, ${column} as sealed from rail_accounts
         where ${column} is not null and name > $1 order by name limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map(({ name, sealed }) => ({ key: name, place: placeOf(name), sealed }))
    },
    replace: (client, rows) =>
      client.query(
        `update rail_accounts i set ${column} = r.sealed
         from unnest($1::text[], $2::bytea[]) as r(name, sealed) where i.name = r.name`,
        [rows.map(({ key }) => key), rows.map(({ sealed }) => sealed)],
      ),
  }
}
