import { catchUp, type Reader } from './catch-up.ts'
import { startPayment, type CheckOut } from './check-out.ts'

/** What the test page of the shop needs: the one that `--effects-url` names. */
export type Development = CheckOut & Reader

const PHONE = ['mtn_ug', '256772000123'] as const

/**
 * Does what `malipo-dev check` and `malipo-dev certify` ask of a shop in development: expect an order, a payout or a
 * batch of payouts; start the payment of an order, as the checkout does; read the missed events.
 *
 * @returns whether it was understood
 */
export async function carryOut(body: unknown, development: Development): Promise<boolean> {
  if (typeof body !== 'object' || body === null) return false
  if ('action' in body && body.action === 'catch_up') {
    await catchUp(development)
    return true
  }
  const { orders } = development
  if (!('merchant_reference' in body && typeof body.merchant_reference === 'string')) return false
  const reference = body.merchant_reference
  const type = 'transaction_type' in body ? body.transaction_type : undefined
  if (type === 'BATCH' && 'payouts' in body && typeof body.payouts === 'number')
    orders.addBatch(reference, body.payouts)
  else if (type === 'PAYOUT') orders.addPayout(reference)
  else if (
    type === 'COLLECTION' &&
    'amount' in body &&
    'currency' in body &&
    typeof body.amount === 'number' &&
    typeof body.currency === 'string'
  ) {
    const order = { reference, amount: body.amount, currency: body.currency }
    if ('action' in body && body.action === 'start') await startPayment(development, ...PHONE, order)
    else orders.add(order)
  } else return false
  return true
}
