import type { components } from '../../../generated/schema.d.ts'
import { createPayoutBatch, type BatchRow } from '../../actions/create-payout-batch.ts'
import { Refusal } from '../../domain/refusal.ts'
import { payoutBatchRecord } from '../../messages/payout-batch-record.ts'
import type { FittedRow } from '../batch-rows.ts'
import { accepted, success } from '../envelope.ts'
import type { Handler, HandlerDeps } from './handler.ts'
import { toPayoutRequest } from './send-funds.ts'

export const createPayoutBatchHandler =
  (deps: HandlerDeps): Handler<'createPayoutBatch'> =>
  async ({ merchant, body, rows = [], idempotency, traceparent }) => {
    const request = { reference: body.batch_reference, rows: rows.map((row) => toRow(row, traceparent)) }
    const { replayed } = await createPayoutBatch(deps, merchant, request, idempotency)
    return accepted('Batch accepted', { batch_reference: body.batch_reference, payouts: rows.length }, replayed)
  }

function toRow(row: FittedRow, traceparent: string | undefined): BatchRow {
  if ('fault' in row) return row
  // Its schema has been checked, as the body of a single payout.
  const body = row.body as unknown as components['schemas']['PayoutRequest']
  return { line: row.line, request: { ...toPayoutRequest(body, row.numbers), traceparent } }
}

export const getPayoutBatchHandler =
  ({ batches }: HandlerDeps): Handler<'getPayoutBatch'> =>
  async ({ merchant, params: { batch_reference } }) => {
    const batch = await batches.find(merchant.id, batch_reference)
    if (!batch) throw new Refusal('unknown_reference', `Batch (${batch_reference}) was not found`)
    return success('Batch retrieved', payoutBatchRecord(batch, batch.payouts))
  }
