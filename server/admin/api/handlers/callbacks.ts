import { present } from '../../../domain/present.ts'
import { success } from '../../../http/envelope.ts'
import { merchantNamed, ownMerchant } from '../../operations/merchant-named.ts'
import { OperationRefusal, type OperationContext } from '../../operations/operation.ts'
import { callbackNamed, resendCallbacks } from '../../operations/resend-callbacks.ts'
import { transactionNamed } from '../../operations/transaction-named.ts'
import { maskedBody, toRecord } from '../../queries/callback-record.ts'
import { callbackAttempts, callbackBodies, listCallbacks, type CallbackView } from '../../queries/callbacks.ts'
import { idOf } from '../../queries/transactions.ts'
import { changed, type AdminData, type AdminHandler } from '../handler.ts'
import { wire } from '../wire.ts'

/** Callbacks with their masked bodies and attempts. */
export async function recordsOf({ pool }: OperationContext, callbacks: readonly CallbackView[]) {
  const ids = callbacks.map(({ id }) => id)
  const [attempts, bodies] = await Promise.all([callbackAttempts(pool, ids), callbackBodies(pool, ids)])
  return callbacks.map((one) => ({ ...toRecord(one, attempts), body: maskedBody(bodies.get(one.id) ?? '') }))
}

/** What failed before is rarely looked for without its payment; without a bound a healthy gateway would read it all. */
const STATE_SINCE_MS = 7 * 24 * 3_600_000

export const listCallbacksHandler: AdminHandler<'listCallbacks'> = async ({ context, query }) => {
  const { state, payment, merchant, since, after, limit = 50 } = query
  const cursor = after === undefined ? undefined : idOf(after)
  if (after !== undefined && cursor === undefined)
    throw new OperationRefusal('invalid', 'after must be the next of a previous page')
  const recent = state && payment === undefined ? new Date(context.clock.now().getTime() - STATE_SINCE_MS) : undefined
  const found = await listCallbacks(context.pool, {
    transactionIds: payment === undefined ? undefined : [(await transactionNamed(context, payment, merchant)).id],
    merchantId: merchant === undefined ? ownMerchant(context) : (await merchantNamed(context, merchant)).id,
    status: state && (state === 'failed' ? 'STOPPED' : 'PENDING'),
    isAttempted: state !== undefined,
    since: since === undefined ? recent : new Date(since),
    after: cursor,
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const items = page.map((one) => wire<AdminData<'showCallback'>>(toRecord(one, undefined)))
  const message = `${items.length} ${items.length === 1 ? 'callback' : 'callbacks'}`
  return success(message, { items, ...(found.length > limit && { next: String(page.at(-1)?.id) }) })
}

export const showCallback: AdminHandler<'showCallback'> = async ({ context, params }) => {
  const callback = await callbackNamed(context, params.callback)
  const [record] = await recordsOf(context, [callback])
  return success(callback.status, wire<AdminData<'showCallback'>>(present(record, 'the callback')))
}

export const resendCallbackHandler: AdminHandler<'resendCallback'> = (call) =>
  changed(call, resendCallbacks, { which: { callback: call.params.callback } })

export const resendCallbacksOfPayment: AdminHandler<'resendCallbacksOfPayment'> = (call) =>
  changed(call, resendCallbacks, { which: { transaction: call.params.payment, merchant: call.query.merchant } })

export const resendCallbacksHandler: AdminHandler<'resendCallbacks'> = (call) => {
  const { after, merchant, since, until = call.context.clock.now().toISOString(), status } = call.body
  return changed(call, resendCallbacks, { which: { since, until, status, merchant }, after })
}
