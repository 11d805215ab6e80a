import type { Logo } from '../domain/logo.ts'
import { available, type Pool } from './pool.ts'

type StoredLogo = Pick<Logo, 'mediaType' | 'bytes'>

/**
 * Finds a logo by its digest, which is its address.
 * @throws StorageUnavailable
 */
export const findLogo = (pool: Pool, digest: string): Promise<StoredLogo | undefined> =>
  available(async () => {
    const { rows } = await pool.query<{ media_type: Logo['mediaType']; bytes: Buffer }>({
      name: 'merchant-logo',
      text: 'select media_type, bytes from merchant_logos where digest = $1',
      values: [digest],
    })
    const [row] = rows
    return row && { mediaType: row.media_type, bytes: row.bytes }
  })
