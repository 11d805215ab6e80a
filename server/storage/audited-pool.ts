import type { Pool } from './pool.ts'

declare const audited: unique symbol

/**
 * A pool for what an audited change writes: its entry commits in the same transaction, or before the first of many. Only
 * `applyChange`, `previewChange` and `beginRun` hand one out (admin/queries/audit-log.ts), and everything that staff
 * change takes one: so nothing can be changed without an entry.
 */
export type AuditedPool = Pool & { readonly [audited]: true }

/**
 * Writes without an entry: for the audit log itself, for the sandbox's own fixtures, and for tests. A test lists who
 * may import it (`audited-pool.test.ts`).
 */
export const withoutAudit = (pool: Pool): AuditedPool => pool as AuditedPool
