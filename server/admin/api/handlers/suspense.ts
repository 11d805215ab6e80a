import { success } from '../../../http/envelope.ts'
import { returnSuspense as giveBack } from '../../operations/return-suspense.ts'
import { takeSuspense as take } from '../../operations/take-suspense.ts'
import { listSuspense as list, suspenseRecord } from '../../queries/suspense.ts'
import { changed, type AdminData, type AdminHandler, type AdminHandlers } from '../handler.ts'
import { counted, idOfCursor, pageOf, wire } from '../wire.ts'

const listSuspense: AdminHandler<'listSuspense'> = async ({ context, query }) => {
  const { after, limit = 50 } = query
  const found = await list(context.pool, { after: idOfCursor(after), limit: limit + 1 })
  const { items, ...next } = pageOf(found, limit, ({ id }) => String(id))
  return success(
    counted(items, 'payment'),
    wire<AdminData<'listSuspense'>>({ ...next, items: items.map(suspenseRecord) }),
  )
}

const returnSuspense: AdminHandler<'returnSuspense'> = (call) =>
  changed(call, giveBack, { item: call.params.suspense, reason: call.body.reason })

const takeSuspense: AdminHandler<'takeSuspense'> = (call) =>
  changed(call, take, { item: call.params.suspense, ...call.body })

export const SUSPENSE = { listSuspense, returnSuspense, takeSuspense } satisfies Partial<AdminHandlers>
