import { createHash } from 'node:crypto'
import type { Brand } from '../../domain/brand.ts'
import type { Logo } from '../../domain/logo.ts'
import { available, inTransaction, type Pool, type Queryable } from '../pool.ts'

/** What is to be changed; null takes it away. */
export interface BrandChange {
  readonly colour?: NonNullable<Brand['colour']> | null
  readonly logo?: Logo | null
  readonly supportContact?: NonNullable<Brand['supportContact']> | null
}

/** So many hexadecimal digits: enough that no two logos share an address. */
const DIGEST_LENGTH = 32

/** Changes what customers see of a merchant. A logo that nobody has any more is thrown away. @throws StorageUnavailable */
export const changeBrand = (pool: Pool, merchantId: bigint, { colour, logo, supportContact }: BrandChange) =>
  available(() =>
    inTransaction(pool, async (client) => {
      // One change after the other, or a picture that one merchant gives up is thrown away while another is about to have it.
      await client.query('select from merchant_logos order by digest for update')
      const digest = logo ? await keepLogo(client, logo) : null
      await client.query(
        `update merchants set
           brand_colour = case when $2 then $3 else brand_colour end,
           logo_digest = case when $4 then $5 else logo_digest end,
           support_contact = case when $6 then $7 else support_contact end
         where id = $1`,
        [
          merchantId,
          colour !== undefined,
          colour ?? null,
          logo !== undefined,
          digest,
          supportContact !== undefined,
          supportContact ?? null,
        ],
      )
      await client.query(
        `delete from merchant_logos l where not exists (select from merchants m where m.logo_digest = l.digest)`,
      )
    }),
  )

/** A picture that is there already is locked like a new one: it stays until it is known whose it is. */
async function keepLogo(client: Queryable, { mediaType, bytes }: Logo): Promise<string> {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_LENGTH)
  await client.query(
    `insert into merchant_logos (digest, media_type, bytes) values ($1, $2, $3)
     on conflict (digest) do update set media_type = excluded.media_type`,
    [digest, mediaType, bytes],
  )
  return digest
}
