import { listRsaKeys, type RsaKeyView } from './key-rotation.ts'
import type { AuditedPool } from '../../storage/audited-pool.ts'
import { available } from '../../storage/pool.ts'

interface WithdrawnRsaKey extends RsaKeyView {
  readonly withdrawn_at: Date
}

type Withdrawal =
  | { readonly is: 'withdrawn'; readonly key: WithdrawnRsaKey; readonly before: boolean }
  /** This is the signing key: without a successor nothing would sign. */
  | { readonly is: 'current' }
  | { readonly is: 'unknown' }

/**
 * Withdraws an RSA key for good and destroys its private half. A repeated withdrawal keeps the time of the first
 * (`before`).
 */
export async function withdrawRsaKey(pool: AuditedPool, id: string, now: Date): Promise<Withdrawal> {
  const keys = await listRsaKeys(pool)
  const key = keys.find((candidate) => candidate.id === id)
  if (!key) return { is: 'unknown' }
  const { withdrawn_at } = key
  if (withdrawn_at) return { is: 'withdrawn', key: { ...key, withdrawn_at }, before: true }
  // The newest key signs. An older key stays older, so no concurrent change can invalidate this check.
  if (key === keys[0]) return { is: 'current' }
  await available(() =>
    pool.query(
      'update rsa_keys set withdrawn_at = $2, sealed_private_pem = null where public_pem = $1 and withdrawn_at is null',
      [key.public_pem, now],
    ),
  )
  return { is: 'withdrawn', key: { ...key, withdrawn_at: now }, before: false }
}
