import { createHmac, createSecretKey } from 'node:crypto'
import { present } from '../domain/present.ts'
import type { Random } from '../domain/references.ts'
import { available, type Pool } from './pool.ts'
import { DIGEST_KEY } from './sealed-places.ts'
import type { SecretBox } from './secret-box.ts'

const KEY_BYTES = 32

/**
 * Keyed digest (HMAC-SHA256) of what need only be recognised again; `purpose` keeps digests of different things apart.
 */
export type Digests = (purpose: string, text: string) => Buffer

/**
 * Opens the key that digests are made with, and makes it at the first start. It lies sealed in the database, so that a
 * new master key does not change it: idempotency keys, one-time passwords and open payment pages are recognised as
 * before. A database of a version that took it from the master key keeps that one.
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
    // The RSA key is made at the first start, after this one: where there is one, requests were digested before.
    const { rowCount } = await pool.query('select from rsa_keys limit 1')
    const key = rowCount ? box.formerDigestKey : Buffer.from(random.bytes(KEY_BYTES))
    // Two processes may start at once: they agree on the key of one.
    await pool.query('insert into digest_key (sealed, created_at) values ($1, $2) on conflict do nothing', [
      box.seal(key.toString('base64'), DIGEST_KEY),
      now,
    ])
    return present(await find(), 'the key of digests')
  })
}
