import { createHmac, createSecretKey } from 'node:crypto'
import { present } from '../domain/present.ts'
import type { Random } from '../domain/references.ts'
import { available, type Pool } from './pool.ts'
import { DIGEST_KEY } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

const KEY_BYTES = 32

/**
 * A keyed digest (HMAC-SHA256) of values that only need to be recognized again; `purpose` separates the digests of
 * different kinds of values.
 */
export type Digests = (purpose: string, text: string) => Buffer

/**
 * Opens the digest key, and creates it at the first start. It is stored sealed in the database, so a new master key
 * does not change it: idempotency keys, OTPs and open payment pages are still recognized.
 */
export async function openDigests(pool: Pool, box: SecretBox, random: Random, now: Date): Promise<Digests> {
  const key = createSecretKey(box.open(await sealedKey(pool, box, random, now), DIGEST_KEY), 'base64')
  return (purpose, text) => createHmac('sha256', key).update(`${purpose}\0${text}`).digest()
}

function sealedKey(pool: Pool, box: SecretBox, random: Random, now: Date): Promise<Uint8Array> {
  const find = async () => (await pool.query<{ sealed: Uint8Array }>('select sealed from digest_key')).rows[0]?.sealed
  return available(async () => {
    const found = await find()
    if (found) return found
    const key = Buffer.from(random.bytes(KEY_BYTES))
    // Two processes may start at once: the first insert wins, and both use its key.
    await pool.query('insert into digest_key (sealed, created_at) values ($1, $2) on conflict do nothing', [
      box.seal(key.toString('base64'), DIGEST_KEY),
      now,
    ])
    return present(await find(), 'the key of digests')
  })
}
