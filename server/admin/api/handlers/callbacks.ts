import { present } from '../../../domain/present.ts'
import type { InboxMessage } from '../../../domain/received/message.ts'
import { success } from '../../../http/envelope.ts'
import { merchantNamed, ownMerchant } from '../../operations/merchant-named.ts'
import type { OperationContext } from '../../operations/operation.ts'
import { callbackNamed, resendCallbacks } from '../../operations/resend-callbacks.ts'
import type { TestReceiver } from '../../operations/test-receiver.ts'
import { transactionNamed } from '../../operations/transaction-named.ts'
import { maskedBody, toRecord } from '../../queries/callback-record.ts'
import { callbackAttempts, callbackBodies, listCallbacks, type CallbackView } from '../../queries/callbacks.ts'
import { listReceived } from '../../queries/received.ts'
import { changed, type AdminData, type AdminHandler } from '../handler.ts'
import { counted, idOfCursor, pageOf, wire } from '../wire.ts'

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
  const recent = state && payment === undefined ? new Date(context.clock.now().getTime() - STATE_SINCE_MS) : undefined
  const found = await listCallbacks(context.pool, {
    transactionIds: payment === undefined ? undefined : [(await transactionNamed(context, payment, merchant)).id],
    merchantId: merchant === undefined ? ownMerchant(context) : (await merchantNamed(context, merchant)).id,
    status: state && (state === 'failed' ? 'STOPPED' : 'PENDING'),
    isAttempted: state !== undefined,
    since: since === undefined ? recent : new Date(since),
    after: idOfCursor(after),
    limit: limit + 1,
  })
  const { items, ...next } = pageOf(found, limit, ({ id }) => String(id))
  const records = items.map((one) => wire<AdminData<'showCallback'>>(toRecord(one, undefined)))
  return success(counted(items, 'callback'), { ...next, items: records })
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

/** As people see it: the customer masked, whoever stored it. */
const receivedRecord = ({ id, kind, checks, headers, body, bodyBytes, ...message }: InboxMessage) =>
  wire<AdminData<'testCallback'>>({
    id,
    kind,
    received_at: message.receivedAt,
    request_line: message.requestLine,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: maskedBody(body.toString('utf8')),
    body_bytes: bodyBytes,
    answered: message.answered,
    latency_ms: message.latencyMs,
    delivery: message.delivery,
    merchant_reference: message.merchantReference,
    checks: (['webhook', 'hmac', 'rsa'] as const).flatMap((name) => {
      const check = checks[name]
      if (check.verdict === 'not_expected') return []
      const signature = `${name}-signature` as const
      return [
        check.verdict === 'good'
          ? { signature, good: true, key: check.key }
          : { signature, good: false, why: check.why },
      ]
    }),
  })

/** Sends a callback to the test receiver. Nothing of the payment or of its delivery changes: no audit entry. */
export const testCallbackWith =
  (receiver: TestReceiver): AdminHandler<'testCallback'> =>
  async ({ context, params }) => {
    const { id } = await callbackNamed(context, params.callback)
    const received = receivedRecord(present(await receiver.receive(id), 'the callback'))
    return success(
      received.checks.every(({ good }) => good) ? 'Every signature is good' : 'A signature is bad',
      received,
    )
  }

export const listReceivedHandler: AdminHandler<'listReceived'> = async ({ context, query }) => {
  const id = query.merchant === undefined ? ownMerchant(context) : (await merchantNamed(context, query.merchant)).id
  const items = (await listReceived(context.pool, id, context.clock.now())).map(receivedRecord)
  return success(counted(items, 'message'), { items })
}
