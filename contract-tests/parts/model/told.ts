import { isDeepStrictEqual } from 'node:util'
import { redirectOf } from '../../../server/verification/testing/page-visit.ts'
import { present } from '../../harness/part.ts'
import type { MerchantServer } from './merchant-server.ts'
import { isFinal, isHosted, prospectOf, type Payment } from './payment.ts'
import type { PaymentModel, SystemUnderTest } from './world.ts'

/** The merchant was told each final state once, and what it was told last is what verify tells. @throws Violation */
export function checkCallbacks(model: PaymentModel, { merchant, rules }: SystemUnderTest): void {
  if (!merchant) return
  for (const payment of model.payments) {
    const { reference, told: reported } = payment
    const callbacks = merchant.callbacksOf(reference)
    const got = callbacks.map(({ payload }) => payload.transaction_status)
    // Their order is not promised, and what came and went between two looks we have not seen.
    const possible =
      payment.ended.size > 0 && prospectOf(payment).mayTurn
        ? [...payment.ended, ...prospectOf(payment).ends.map(({ status }) => status)]
        : [...payment.ended]
    const isRight =
      new Set(got).size === got.length &&
      [...payment.ended].every((status) => got.includes(status)) &&
      got.every((status) => possible.some((one) => one === status))
    rules.hold(
      'every final state is told once',
      isRight,
      `the merchant was told of ${reference}: ${got.join(', ') || 'nothing'}; verify told ${[...payment.ended].join(', ') || 'no final state'}`,
    )
    const last = callbacks.find(({ payload }) => payload.transaction_status === reported.transaction_status)
    if (last) {
      rules.hold(
        'a callback tells what verify tells',
        isDeepStrictEqual(last.payload, reported),
        `the callback of ${reference} tells ${difference(last.payload, reported)}`,
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
  { type, reference, told: { transaction_status: status } }: Payment,
  merchant: MerchantServer,
  rules: SystemUnderTest['rules'],
): void {
  if (type !== 'PAYOUT' || (status !== 'PROCESSING' && status !== 'COMPLETED')) return
  rules.hold(
    "no payout without the merchant's word",
    merchant.handshakesOf(reference) > 0,
    `${reference} is ${status}, and its merchant was never asked`,
  )
}

/** The customer of a payment that ended is led back to the shop with what verify tells. @throws Violation */
export async function checkRedirects(model: PaymentModel, { target, rules }: SystemUnderTest): Promise<void> {
  for (const { reference, paymentUrl, told: reported, draft } of model.payments.filter(
    (payment) => isHosted(payment) && isFinal(payment.told.transaction_status),
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
        'a redirect tells what verify tells',
        query.get(name) === value,
        `the redirect of ${reference} tells ${name} ${query.get(name)}, verify ${value}`,
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
