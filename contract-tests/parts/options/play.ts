import { bankAccount, phoneNumber } from '../../driver/account-numbers.ts'
import type { Fields } from '../../harness/json.ts'
import { authorize, collect, payOut, verify } from '../../driver/merchant.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { isFinal } from '../../driver/message-fields.ts'
import { reported } from '../../driver/api-replies.ts'
import { passing } from '../../driver/clock.ts'
import { wireOf } from '../../driver/money.ts'
import { customerOf, SANDBOX_OTP, walk } from '../../driver/customer.ts'
import type { PaymentCase } from './payment-cases.ts'
import type { Option } from './listed-options.ts'
import { forEachOf, textOf, type OptionsFixture } from './fixture.ts'

/** An accepted payment. */
export interface PlayedCase {
  readonly paymentCase: PaymentCase
  readonly reference: string
  readonly account: string
  readonly accepted: ApiReply
  /** The last verify reply. */
  record: Fields
  verifyReply: ApiReply
  /** The reply to its OTP; absent: none was required. */
  password?: ApiReply
}

export const nameOf = ({ option, what, currency }: PaymentCase): string =>
  `${option.code} ${option.type} ${what}${currency === option.currency ? '' : ` in ${currency}`}`

/** Redirect address of bank collections' customers. */
const REDIRECT_URL = 'https://shop.example/paid'
const WAITING = 'Waiting for the one-time password'

/** A number that nobody else uses. @param ending test number */
export const accountOf = ({ method, currency, prefixes }: Option, serial: number, ending: string): string =>
  method === 'BANK'
    ? bankAccount(serial, ending)
    : phoneNumber(currency, prefixes[serial % prefixes.length] ?? '', serial, ending)

/** The request body of a payment case. */
export function bodyOf(
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

export const send = (fixture: OptionsFixture, paymentCase: PaymentCase, body: Fields): Promise<ApiReply> =>
  (paymentCase.option.type === 'PAYOUT' ? payOut : collect)(fixture.merchant, body)
export const aboutOf = ({ option: { type } }: Pick<PaymentCase, 'option'>): string =>
  type === 'PAYOUT' ? 'sendFunds' : 'initializeCollection'

/** Sends all payments, does what their customers do, and waits until they are final. */
export async function playPayments(
  fixture: OptionsFixture,
  payments: readonly PaymentCase[],
): Promise<readonly PlayedCase[]> {
  const played = (await forEachOf(payments, (paymentCase) => begin(fixture, paymentCase))).flat()
  const { own } = fixture.target
  let open: readonly PlayedCase[] = played
  await passing(own, async () => {
    await forEachOf(open, (payment) => poll(fixture, payment))
    open = open.filter(({ record }) => !isFinal(record))
    return open.length === 0
  })
  return played
}

async function begin(fixture: OptionsFixture, paymentCase: PaymentCase): Promise<PlayedCase[]> {
  const serial = fixture.serial()
  const reference = fixture.reference(serial)
  const { option, outcome } = paymentCase
  const account = accountOf(option, fixture.accountSerial(`${option.code} ${option.type}`), outcome.ending)
  const accepted = await send(fixture, paymentCase, bodyOf(paymentCase, reference, account))
  const { currency, amountMinor } = paymentCase
  const isAccepted = accepted.status === 202
  const what = `${nameOf(paymentCase)} (${wireOf(amountMinor, currency)} ${currency}) was answered ${reported(accepted)}, not 202`
  fixture.hold(aboutOf(paymentCase), `accepted ${paymentCase.what}`, !isAccepted && what, nameOf(paymentCase), [
    accepted,
  ])
  if (!isAccepted) return []
  return [{ paymentCase, reference, account, accepted, record: {}, verifyReply: accepted }]
}

/** The part `receiver` reports a reply without a page. */
async function onPage({ target }: OptionsFixture, { accepted: { data }, account }: PlayedCase): Promise<void> {
  const customer = customerOf(target, data)
  if (customer) await walk('pays', customer, account).catch(() => undefined)
}

/** Verifies a payment, and does what its customer does; a page that did not answer is opened again. */
async function poll(fixture: OptionsFixture, payment: PlayedCase): Promise<void> {
  const { option } = payment.paymentCase
  payment.verifyReply = await verify(fixture.merchant, payment.reference)
  payment.record = payment.verifyReply.data
  const [status, message] = [textOf(payment.record, 'transaction_status'), textOf(payment.record, 'status_message')]
  const isOnPage = option.method === 'BANK' && option.type === 'COLLECTION'
  if (isOnPage && status === 'PENDING') return onPage(fixture, payment)
  if (payment.password || !message.startsWith(WAITING)) return
  const { internal_reference } = payment.accepted.data
  payment.password = await authorize(fixture.merchant, { internal_reference, otp: SANDBOX_OTP })
}
