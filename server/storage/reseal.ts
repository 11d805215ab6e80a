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
    const kinds = [...Object.keys(TABLES), 'current']
    const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<keyof ResealCounts, number>
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

/** Columns that tell whose secret a row holds; each table has some of them. */
interface OwnerColumns {
  readonly merchant_id: bigint
  readonly kind: 'signing_key' | 'webhook_secret'
  readonly public_pem: string
  readonly name: string
  readonly order_id: string
  readonly digest: string
}

const TABLES: Readonly<Record<Part, SealedTable>> = {
  merchantSecrets: sealedColumn(['merchant_keys', 'sealed', 'id'], ['kind', 'merchant_id'], (row) =>
    merchantSecret(row.kind, row.merchant_id),
  ),
  rsaKeys: sealedColumn(['rsa_keys', 'sealed_private_pem', 'id'], ['public_pem'], (row) =>
    rsaPrivateKey(row.public_pem),
  ),
  digestKeys: {
    async page(client, after) {
      if (after !== undefined) return [] // there is only one key
      const { rows } = await client.query<{ sealed: Uint8Array }>('select sealed from digest_key')
      return rows.map(({ sealed }) => ({ key: 0n, place: DIGEST_KEY, sealed }))
    },
    replace: (client, rows) => client.query('update digest_key set sealed = $1', [rows[0]?.sealed]),
  },
  railSettings: sealedColumn(['rail_accounts', 'sealed_settings', 'name'], ['name'], ({ name }) => railSettings(name)),
  callbackKeys: sealedColumn(['rail_accounts', 'sealed_callback_keys', 'name'], ['name'], ({ name }) =>
    callbackKeys(name),
  ),
  railCallbacks: sealedColumn(['rail_callbacks', 'sealed_body', 'id'], ['order_id'], (row) =>
    railCallback(row.order_id),
  ),
  approvalInputs: sealedColumn(['approvals', 'sealed_input', 'id'], ['digest'], ({ digest }) => approvalInput(digest)),
  accountMessages: sealedColumn(['account_messages', 'sealed_body', 'id'], [], () => railCallback(ACCOUNT_ADDRESS)),
}

/** Pages over one column, for the rows where it is set. @param names the columns that `placeOf` reads */
function sealedColumn<Name extends keyof OwnerColumns>(
  [table, column, key]: readonly [table: string, column: string, key: 'id' | 'name'],
  names: readonly Name[],
  placeOf: (row: Pick<OwnerColumns, Name>) => SealedFor,
): SealedTable {
  const [type, first] = key === 'id' ? (['bigint', 0n] as const) : (['text', ''] as const)
  return {
    async page(client, after = first) {
      const { rows } = await client.query<Pick<OwnerColumns, Name> & Pick<SealedRow, 'key' | 'sealed'>>(
        `select ${[`${key} as key`, `${column} as sealed`, ...names].join(', ')} from ${table}
         where ${column} is not null and ${key} > $1 order by ${key} limit ${PAGE_ROWS}`,
        [after],
      )
      return rows.map((row) => ({ key: row.key, place: placeOf(row), sealed: row.sealed }))
    },
    replace: (client, rows) =>
      client.query(
        `update ${table} t set ${column} = r.sealed
         from unnest($1::${type}[], $2::bytea[]) as r(key, sealed) where t.${key} = r.key`,
        [rows.map((row) => row.key), rows.map(({ sealed }) => sealed)],
      ),
  }
}
