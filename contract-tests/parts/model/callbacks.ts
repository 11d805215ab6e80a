import { redirectOf } from '../../../server/verification/testing/page-visit.ts'
import type { MerchantServer } from './merchant-server.ts'
import { isFinal, isHosted, prospectOf, type Payment } from './payment.ts'
import type { PaymentModel, SystemUnderTest } from './world.ts'

/** The merchant received each final state once. The rules over all traffic compare its callback. @throws Violation */
export function checkCallbacks(model: PaymentModel, { merchant, rules }: SystemUnderTest): void {
  if (!merchant) return
  for (const payment of model.payments) {
    const { reference } = payment
    const callbacks = merchant.callbacksOf(reference)
    const got = callbacks.map(({ payload }) => payload.transaction_status)
    // Their order is not promised, and a state between two verify calls goes unobserved.
    const possible =
      payment.ended.size > 0 && prospectOf(payment).mayTurn
        ? [...payment.ended, ...prospectOf(payment).ends.map(({ status }) => status)]
        : [...payment.ended]
    const isRight =
      new Set(got).size === got.length &&
      [...payment.ended].every((status) => got.includes(status)) &&
      got.every((status) => possible.some((one) => one === status))
    rules.hold(
      'every final state is reported once',
      isRight,
      `the merchant received for ${reference}: ${got.join(', ') || 'nothing'}; verify returned ${[...payment.ended].join(', ') || 'no final state'}`,
    )
    checkHandshake(payment, merchant, rules)
  }
}

function checkHandshake(
  { type, reference, record: { transaction_status: status } }: Payment,
  merchant: MerchantServer,
  rules: SystemUnderTest['rules'],
): void {
  if (type !== 'PAYOUT' || (status !== 'PROCESSING' && status !== 'COMPLETED')) return
  rules.hold(
    "no payout without the merchant's word",
    merchant.handshakesOf(reference) > 0,
    `${reference} is ${status}, and its merchant got no handshake`,
  )
}

/** The customer of an ended payment is redirected to the shop. @throws Violation */
export async function checkRedirects(model: PaymentModel, { target, rules }: SystemUnderTest): Promise<void> {
  for (const { reference, paymentUrl, record: reported, draft } of model.payments.filter(
    (payment) => isHosted(payment) && isFinal(payment.record.transaction_status),
  )) {
    const address = paymentUrl === undefined ? undefined : await redirectOf(target.url, paymentUrl)
    const shop = draft.type === 'COLLECTION' ? (draft.request.redirect_url ?? '') : ''
    rules.hold(
      'the customer is led back to the shop',
      address?.startsWith(shop) === true,
      `the page of ${reference}, ${reported.transaction_status}, leads to ${address ?? 'nowhere'}, not to ${shop}`,
    )
  }
}
