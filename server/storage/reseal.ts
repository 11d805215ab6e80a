import { inTransaction, type Pool, type Queryable } from './pool.ts'
import { DIGEST_KEY, merchantSecret, railCallback, railSettings, rsaPrivateKey } from './sealed-places.ts'
import { WrongMasterKey, type SealedFor, type SecretBox } from './secret-box.ts'

/** How many of each were sealed anew. */
export interface Resealed {
  readonly merchantSecrets: number
  readonly rsaKeys: number
  readonly digestKeys: number
  readonly railSettings: number
  readonly railCallbacks: number
  /** Sealed by this version with this master key already. */
  readonly current: number
}

/** What is sealed with neither key. */
export class NeitherKeyOpens extends Error {
  constructor({ purpose, owner }: SealedFor) {
    super(`neither master key opens the sealed ${purpose} of ${owner}`)
    this.name = 'NeitherKeyOpens'
  }
}

interface SealedRow {
  readonly place: SealedFor
  readonly sealed: Uint8Array
  replace(client: Queryable, sealed: Buffer): Promise<unknown>
}

type Part = Exclude<keyof Resealed, 'current'>

/**
 * Seals everything that lasts anew that is not sealed by this version with the key of `box`, all of it or nothing.
 * `former` opens what was sealed with the master key before. Run again, it finds nothing to do.
 * @throws NeitherKeyOpens; Error when something was altered, or belongs elsewhere
 */
export function reseal(pool: Pool, box: SecretBox, former: SecretBox = box): Promise<Resealed> {
  return inTransaction(pool, async (client) => {
    // Readers go on. A writer that still has the old key waits, and its row is found the next time.
    await client.query(
      'lock table merchant_keys, rsa_keys, digest_key, rail_installations, rail_callbacks in share row exclusive mode',
    )
    const counts: Record<keyof Resealed, number> = {
      merchantSecrets: 0,
      rsaKeys: 0,
      digestKeys: 0,
      railSettings: 0,
      railCallbacks: 0,
      current: 0,
    }
    for (const [part, select] of Object.entries(SELECT) as [Part, (client: Queryable) => Promise<SealedRow[]>][]) {
      for (const { place, sealed, replace } of await select(client)) {
        const secret = openWithEither(sealed, place, box, former)
        const isCurrent = box.isCurrent(sealed)
        counts[isCurrent ? 'current' : part] += 1
        if (!isCurrent) await replace(client, box.seal(secret, place))
      }
    }
    return counts
  })
}

/** At the start: what an older version sealed gets its place. Most starts find nothing, and lock nothing. */
export async function resealFormer(pool: Pool, box: SecretBox): Promise<Resealed | undefined> {
  const rows = (await Promise.all(Object.values(SELECT).map((select) => select(pool)))).flat()
  return rows.some(({ sealed }) => !box.isCurrent(sealed)) ? reseal(pool, box) : undefined
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

const SELECT: Readonly<Record<Part, (client: Queryable) => Promise<SealedRow[]>>> = {
  async merchantSecrets(client) {
    const { rows } = await client.query<{
      id: bigint
      merchant_id: bigint
      kind: 'signing_key' | 'webhook_secret'
      sealed: Uint8Array
    }>('select id, merchant_id, kind, sealed from merchant_keys where sealed is not null order by id')
    return rows.map(({ id, merchant_id, kind, sealed }) => ({
      place: merchantSecret(kind, merchant_id),
      sealed,
      replace: (client, anew) => client.query('update merchant_keys set sealed = $2 where id = $1', [id, anew]),
    }))
  },
  async rsaKeys(client) {
    const { rows } = await client.query<{ id: bigint; public_pem: string; sealed: Uint8Array }>(
      `select id, public_pem, sealed_private_pem as sealed from rsa_keys
       where sealed_private_pem is not null order by id`,
    )
    return rows.map(({ id, public_pem, sealed }) => ({
      place: rsaPrivateKey(public_pem),
      sealed,
      replace: (client, anew) => client.query('update rsa_keys set sealed_private_pem = $2 where id = $1', [id, anew]),
    }))
  },
  async digestKeys(client) {
    const { rows } = await client.query<{ sealed: Uint8Array }>('select sealed from digest_key')
    return rows.map(({ sealed }) => ({
      place: DIGEST_KEY,
      sealed,
      replace: (client, anew) => client.query('update digest_key set sealed = $1', [anew]),
    }))
  },
  async railSettings(client) {
    const { rows } = await client.query<{ name: string; sealed: Uint8Array }>(
      'select name, sealed_settings as sealed from rail_installations order by name',
    )
    return rows.map(({ name, sealed }) => ({
      place: railSettings(name),
      sealed,
      replace: (client, anew) =>
        client.query('update rail_installations set sealed_settings = $2 where name = $1', [name, anew]),
    }))
  },
  async railCallbacks(client) {
    const { rows } = await client.query<{ id: bigint; order_id: string; sealed: Uint8Array }>(
      'select id, order_id, sealed_body as sealed from rail_callbacks where sealed_body is not null order by id',
    )
    return rows.map(({ id, order_id, sealed }) => ({
      place: railCallback(order_id),
      sealed,
      replace: (client, anew) => client.query('update rail_callbacks set sealed_body = $2 where id = $1', [id, anew]),
    }))
  },
}
