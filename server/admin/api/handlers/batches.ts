import { amountToWire } from '../../../domain/money.ts'
import { isRetryable, totalsOf } from '../../../domain/payout-batch.ts'
import { success } from '../../../http/envelope.ts'
import { merchantNamed } from '../../operations/merchant-named.ts'
import {
  payoutBatchNamed,
  previewPayoutFile,
  retryPayoutBatch,
  sendPayoutFile,
} from '../../operations/payout-batches.ts'
import { listPayoutBatches, type BatchView } from '../../queries/payout-batches.ts'
import { changed, inputOf, type AdminData, type AdminHandlers } from '../handler.ts'
import { counted, idOfCursor, pageOf, wire } from '../wire.ts'

type Batch = AdminData<'listPayoutBatches'>['items'][number]

const batchRecord = ({ reference, ...batch }: BatchView): Batch => wire<Batch>({ batch_reference: reference, ...batch })

const fileOf = (body: { readonly content: string; readonly batch_reference?: string }) => ({
  bytes: Buffer.from(body.content, 'base64'),
  batch_reference: body.batch_reference,
})

export const BATCHES = {
  async listPayoutBatches({ context, params, query: { after, limit = 50 } }) {
    const { id: merchantId } = await merchantNamed(context, params.merchant)
    const found = await listPayoutBatches(context.pool, { merchantId, before: idOfCursor(after), limit: limit + 1 })
    const { items, ...next } = pageOf(found, limit, ({ id }) => String(id))
    return success(counted(items, 'batch', 'batches'), { items: items.map(batchRecord), ...next })
  },

  sendPayoutBatch: (call) => changed(call, sendPayoutFile, { merchant: call.params.merchant, ...fileOf(call.body) }),

  async previewPayoutBatch({ context, params, body }) {
    const preview = await previewPayoutFile(context, { merchant: params.merchant, ...fileOf(body) })
    const { length } = preview.faults
    const message = `${length} of ${preview.payouts} payouts ${length === 1 ? 'is' : 'are'} faulty`
    return success(message, wire<AdminData<'previewPayoutBatch'>>(preview))
  },

  async showPayoutBatch({ context, params, query: { after = 0, limit = 50 } }) {
    const { batch, payouts } = await payoutBatchNamed(context, params.merchant, params.batch)
    const rows = payouts.filter(({ line }) => line > after).slice(0, limit + 1)
    const { items, ...next } = pageOf(rows, limit, ({ line }) => String(line))
    return success(`Batch ${batch.reference}`, {
      batch: batchRecord(batch),
      totals: totalsOf(payouts.map(({ payout }) => payout)).map(({ amount, ...counts }) => ({
        ...counts,
        currency: amount.currency,
        amount: amountToWire(amount.amountMinor, amount.currency),
      })),
      retryable: payouts.filter(isRetryable).length,
      items: items.map((one) => ({
        line: one.line,
        merchant_reference: one.payout.merchantReference,
        internal_reference: one.payout.internalReference,
        transaction_status: one.payout.status,
        status_message: one.payout.statusMessage,
        amount: amountToWire(one.payout.amount.amountMinor, one.payout.amount.currency),
        currency: one.payout.amount.currency,
        retryable: isRetryable(one),
      })),
      ...next,
    })
  },

  retryPayoutBatch: (call) => changed(call, retryPayoutBatch, inputOf(call)),
} satisfies Partial<AdminHandlers>
