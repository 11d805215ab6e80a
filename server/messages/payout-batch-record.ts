import type { components } from '../../generated/schema.d.ts'
import { amountToWire } from '../domain/money.ts'
import { isBatchFinal, totalsOf, type BatchPayout, type PayoutBatch } from '../domain/payout-batch.ts'
import { payoutStatus } from './transaction-record.ts'

type Schemas = components['schemas']

/** The record of a batch, as `GET /payout/batches/{batch_reference}` returns it. */
export const payoutBatchRecord = (batch: PayoutBatch, payouts: readonly BatchPayout[]): Schemas['PayoutBatch'] => ({
  batch_reference: batch.reference,
  batch_status: isBatchFinal(payouts.map(({ payout }) => payout)) ? 'COMPLETED' : 'PROCESSING',
  totals: totals(payouts),
  payouts: payouts.map(({ line, payout }) => ({
    line,
    merchant_reference: payout.merchantReference,
    internal_reference: payout.internalReference,
    transaction_status: payoutStatus(payout),
    status_message: payout.statusMessage,
    ...(payout.failureCode !== undefined && { failure_code: payout.failureCode }),
  })),
})

const totals = (payouts: readonly BatchPayout[]): Schemas['BatchTotals'] =>
  totalsOf(payouts.map(({ payout }) => payout)).map(({ payouts: count, amount, completed, failed }) => ({
    currency: amount.currency,
    payouts: count,
    amount: amountToWire(amount.amountMinor, amount.currency),
    completed,
    failed,
  }))

/** The body of a batch's callback: `{event, payload}`. */
export const batchCallbackBody = (batch: PayoutBatch, payouts: readonly BatchPayout[]): string => {
  const payload: Schemas['PayoutBatchSummary'] = {
    batch_reference: batch.reference,
    batch_status: 'COMPLETED',
    totals: totals(payouts),
  }
  return JSON.stringify({ event: 'payout_batch.completed', payload })
}

/** What the handshake of a batch asks about: all of it as it was accepted, whatever has become of its payouts since. */
export const batchHandshakeBody = (batch: PayoutBatch, payouts: readonly BatchPayout[]): string => {
  const payload: Schemas['PayoutBatchHandshake']['payload'] = {
    batch_reference: batch.reference,
    payouts: payouts.length,
    totals: totals(payouts).map(({ completed: _completed, failed: _failed, ...total }) => total),
  }
  return JSON.stringify({ event: 'payout_batch.verification', payload })
}
