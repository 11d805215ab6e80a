import { anchorLine } from '../../../domain/chain-anchor.ts'
import { success } from '../../../http/envelope.ts'
import { OperationRefusal } from '../../operations/operation.ts'
import { verifyAuditLog } from '../../queries/audit-chain.ts'
import { auditEntry, listAuditLog, type AuditEntry } from '../../queries/audit-log.ts'
import { idOf } from '../../queries/transactions.ts'
import type { AdminData, AdminHandlers } from '../handler.ts'
import { counted, idOfCursor, pageOf, wire } from '../wire.ts'
import { changedValues } from './changed-values.ts'

type Entry = AdminData<'showAuditEntry'>

const entryOf = ({ old, new: changed, seq, ...entry }: AuditEntry): Entry =>
  wire<Entry>({ ...entry, changes: changedValues({ old, new: changed }), link: seq })

/** Who changed what, when and why. */
export const AUDIT_HANDLERS = {
  async listAuditLog({ context, query: { after, limit = 50, ...filter } }) {
    const found = await listAuditLog(context.pool, {
      ...filter,
      before: idOfCursor(after),
      limit: limit + 1,
    })
    const { items, ...rest } = pageOf(found, limit, ({ id }) => String(id))
    return success(counted(items, 'entry', 'entries'), { ...rest, items: items.map(entryOf) })
  },
  async showAuditEntry({ context, params: { entry: id } }) {
    const entry = await auditEntry(context.pool, idOf(id) ?? 0n)
    if (!entry) throw new OperationRefusal('not_found', `there is no entry ${id}`)
    return success(`Entry ${id}`, entryOf(entry))
  },
  async verifyAuditLog({ context: { pool } }) {
    const { faults, head } = await verifyAuditLog(pool)
    const intact = faults.length === 0
    return success(intact ? 'The audit log is as it was written' : 'The audit log was changed', {
      intact,
      faults: [...faults],
      ...(head && { head: anchorLine(head) }),
    })
  },
} satisfies Partial<AdminHandlers>
