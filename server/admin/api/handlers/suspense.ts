import { success } from '../../../http/envelope.ts'
import { returnSuspense as giveBack } from '../../operations/return-suspense.ts'
import { takeSuspense as take } from '../../operations/take-suspense.ts'
import { listSuspense as list, suspenseRecord } from '../../queries/suspense.ts'
import { changed, type AdminData, type AdminHandler, type AdminHandlers } from '../handler.ts'
import { idOfCursor, pageOf, wire } from '../wire.ts'

const listSuspense: AdminHandler<'listSuspense'> = async ({ context, query }) => {
  const { after, limit = 50 } = query
  const found = await list(context.pool, {
    after: after === undefined ? undefined : idOfCursor(after),
    limit: limit + 1,
  })
  const page = pageOf(found, limit, ({ id }) => String(id))
  const { length } = page.items
  return success(
    `${length} ${length === 1 ? 'payment' : 'payments'}`,
    wire<AdminData<'listSuspense'>>({ ...page, items: page.items.map(suspenseRecord) }),
  )
}

const returnSuspense: AdminHandler<'returnSuspense'> = (call) =>
  changed(call, giveBack, { item: call.params.suspense, reason: call.body.reason })

const takeSuspense: AdminHandler<'takeSuspense'> = (call) =>
  changed(call, take, { item: call.params.suspense, ...call.body })

export const SUSPENSE = { listSuspense, returnSuspense, takeSuspense } satisfies Partial<AdminHandlers>
