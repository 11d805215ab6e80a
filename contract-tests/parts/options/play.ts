import { reported } from '../../driver/api-replies.ts'
import { passing } from '../../driver/clock.ts'
import type { DriverFixture } from '../../driver/fixture.ts'
import { followPayments, type FollowedPayment } from '../../driver/follow-payments.ts'
import { forEachOf } from '../../driver/for-each-of.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { minorOf, wireOf } from '../../driver/money.ts'
import { accountOf, operationOf } from '../../driver/provider-options.ts'
import type { Fields } from '../../harness/json.ts'
import { oddAmountOf, type PaymentCase } from './payment-cases.ts'

/** An accepted payment. */
export interface PlayedCase extends FollowedPayment {
  readonly paymentCase: PaymentCase
}

export const nameOf = ({ option, what, currency }: PaymentCase): string =>
  `${option.code} ${option.type} ${what}${currency === option.currency ? '' : ` in ${currency}`}`

/** Redirect address of bank collections' customers. */
const REDIRECT_URL = 'https://shop.example/paid'

function bodyOf(
  { option, currency, amountMinor, chargeCustomer, bank }: PaymentCase,
  reference: string,
  account: string,
): Fields {
  const { type, code, method } = option
  const common = {
    merchant_reference: reference,
    transaction_method: method,
    provider_code: code,
    currency,
    amount: wireOf(amountMinor, currency),
    customer_name: 'Amina Nakato',
    description: `Order by ${code}`.padEnd(10, '.'),
  }
  if (type === 'PAYOUT')
    return { ...common, account_number: account, ...(bank && { extra_params: { bank_code: bank.code } }) }
  return {
    ...common,
    charge_customer: chargeCustomer,
    ...(method === 'BANK' ? { redirect_url: REDIRECT_URL } : { msisdn: account }),
  }
}

/** Requests a payment, from or to an account number of its own. */
export async function send(fixture: DriverFixture, paymentCase: PaymentCase): Promise<PlayedCase> {
  const driver = fixture.driver(nameOf(paymentCase))
  const reference = driver.reference()
  const account = accountOf(driver, paymentCase.option, paymentCase.outcome.ending)
  const reply = await driver.post(operationOf(paymentCase.option), bodyOf(paymentCase, reference, account))
  return { paymentCase, driver, reference, account, reply, record: {}, isAuthorized: false }
}

/** Sends all payments, does what their customers do, and waits until they are final. */
export async function playPayments(
  fixture: DriverFixture,
  payments: readonly PaymentCase[],
): Promise<readonly PlayedCase[]> {
  const sent = await forEachOf(payments, (paymentCase) => send(fixture, paymentCase))
  const played = sent.filter(({ paymentCase, driver, reply }) => {
    const { what, currency, amountMinor } = paymentCase
    const name = `${nameOf(paymentCase)} (${wireOf(amountMinor, currency)} ${currency})`
    const came = `${name} was answered ${reported(reply)}, not 202`
    return driver.hold(operationOf(paymentCase.option), reply.status === 202, `accepted ${what}`, came)
  })
  await followPayments(fixture.target, played, ({ record }) => isFinal(record))
  return played
}

/** Refunds a part of one collection of each option, with cents where there are any: the rules judge it. */
export async function refundParts({ target }: DriverFixture, played: readonly PlayedCase[]): Promise<void> {
  const collections = played.filter(
    ({ paymentCase: { option, amountMinor }, record: { transaction_status: status } }) =>
      option.type === 'COLLECTION' && amountMinor === oddAmountOf(option) && status === 'COMPLETED',
  )
  const refunds = await forEachOf(
    collections,
    async ({ driver, reference, paymentCase: { currency, amountMinor } }) => {
      const own = driver.reference()
      const reply = await driver.post('refundCollection', {
        merchant_reference: own,
        collection_reference: reference,
        amount: wireOf(amountMinor - (minorOf(1, currency) ?? 1n), currency),
        reason: 'One of two items returned',
      })
      // Not every operator refunds in parts.
      const came = `a part of collection ${reference} was answered ${reported(reply)}, not 202`
      driver.hold('refundCollection', [202, 409].includes(reply.status), 'a part of a collection', came)
      return () => driver.refund(own)
    },
  )
  await passing(target.own, async () => {
    const replies = await forEachOf(refunds, (lookUp) => lookUp())
    return replies.every(({ status, data }) => status !== 200 || isFinal(data))
  })
}
