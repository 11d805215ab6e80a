import { createHash } from 'node:crypto'
import type { Brand } from '../../domain/brand.ts'
import type { Logo } from '../../domain/logo.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available, inTransaction, type Queryable } from '../../storage/pool.ts'

/** What to change; null removes the value. */
export interface BrandChange {
  readonly colour?: NonNullable<Brand['colour']> | null
  readonly logo?: Logo | null
  readonly supportContact?: NonNullable<Brand['supportContact']> | null
}

/** This many hexadecimal digits are enough that no two logos share a URL. */
const DIGEST_LENGTH = 32

/**
 * Changes how a merchant appears to customers. Deletes a logo that no merchant uses any more. @throws
 * StorageUnavailable
 */
export const changeBrand = (pool: AuditedPool, merchantId: bigint, { colour, logo, supportContact }: BrandChange) =>
  available(() =>
    inTransaction(pool, async (client) => {
      // Serializes changes: otherwise a logo that one merchant removes could be deleted while another is about to use
      // it.
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

/** Locks an existing logo like a new one: it stays until the merchant's row refers to it. */
async function keepLogo(client: Queryable, { mediaType, bytes }: Logo): Promise<string> {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_LENGTH)
  await client.query(
    `insert into merchant_logos (digest, media_type, bytes) values ($1, $2, $3)
     on conflict (digest) do update set media_type = excluded.media_type`,
    [digest, mediaType, bytes],
  )
  return digest
}
