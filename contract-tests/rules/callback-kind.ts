import { fieldsOf } from '../harness/json.ts'

/** The webhook of the contract that the body of a callback is one of, by what it says itself. */
export function callbackKind(body: unknown): string {
  const { event, payload } = fieldsOf(body)
  const { transaction_type: type } = fieldsOf(payload)
  if (event === 'payout_batch.verification') return 'payoutBatchHandshake'
  if (String(event).startsWith('payout_batch.')) return 'payoutBatchCallback'
  if (type === 'REFUND') return 'refundCallback'
  return type === 'PAYOUT' ? 'payoutCallback' : 'collectionCallback'
}
