import { isDeepStrictEqual } from 'node:util'
import { redirectOf } from '../../../server/verification/testing/page-visit.ts'
import { present } from '../../harness/part.ts'
import type { MerchantServer } from './merchant-server.ts'
import { isFinal, isHosted, prospectOf, type Payment } from './payment.ts'
import type { PaymentModel, SystemUnderTest } from './world.ts'

/**
 * The merchant received each final state once, and the callback of the last one equals the verify reply. @throws
 * Violation
 */
export function checkCallbacks(model: PaymentModel, { merchant, rules }: SystemUnderTest): void {
  if (!merchant) return
  for (const payment of model.payments) {
    const { reference, record: reported } = payment
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
    const last = callbacks.find(({ payload }) => payload.transaction_status === reported.transaction_status)
    if (last) {
      rules.hold(
        'a callback equals verify',
        isDeepStrictEqual(last.payload, reported),
        `the callback of ${reference} has ${difference(last.payload, reported)}`,
      )
      rules.hold(
        'an event names the outcome',
        last.event === eventOf(reported.transaction_status),
        `the callback of ${reference}, ${reported.transaction_status}, is ${String(last.event)}`,
      )
    }
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

/** The customer of an ended payment is redirected to the shop with the data of the verify reply. @throws Violation */
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
    const query = new URL(present(address, 'redirect')).searchParams
    const expected = {
      id: String(reported.id),
      event: eventOf(reported.transaction_status),
      merchant_reference: reference,
      internal_reference: reported.internal_reference,
      transaction_type: reported.transaction_type,
      transaction_status: reported.transaction_status,
      status_message: reported.status_message,
    }
    for (const [name, value] of Object.entries(expected)) {
      rules.hold(
        'a redirect equals verify',
        query.get(name) === value,
        `the redirect of ${reference} has ${name} ${query.get(name)}, verify ${value}`,
      )
    }
  }
}

const eventOf = (status: string): string => (status === 'COMPLETED' ? 'transaction.completed' : 'transaction.failed')

function difference(got: Readonly<Record<string, unknown>>, expected: object): string {
  const wanted = new Map<string, unknown>(Object.entries(expected))
  const names = [...new Set([...Object.keys(got), ...wanted.keys()])].filter(
    (name) => !isDeepStrictEqual(got[name], wanted.get(name)),
  )
  return names
    .map((name) => `${name} ${JSON.stringify(got[name])}, verify ${JSON.stringify(wanted.get(name))}`)
    .join('; ')
}
