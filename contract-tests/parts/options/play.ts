import { bankAccount, phoneNumber } from '../../harness/account-numbers.ts'
import type { Fields } from '../../harness/json.ts'
import { authorize, collect, payOut, verify, type ApiReply } from '../apart/merchant.ts'
import { reported } from '../apart/answers.ts'
import { passing } from '../apart/steps.ts'
import { wireOf } from '../model/money.ts'
import { newCustomer } from '../receiver/customer.ts'
import { walk } from '../receiver/customer-plans.ts'
import { SANDBOX_OTP } from '../receiver/scenario-makers.ts'
import type { PaymentCase } from './lives.ts'
import type { Option } from './offered.ts'
import { forEachOf, textOf, type OptionsFixture } from './till.ts'

/** A payment that was accepted. */
export interface PlayedCase {
  readonly life: PaymentCase
  readonly reference: string
  readonly account: string
  readonly accepted: ApiReply
  /** What verify told last. */
  record: Fields
  asked: ApiReply
  /** How its password was given; absent: it was not asked for. */
  password?: ApiReply
  /** Fields in which the record is not what it must be. */
  readonly wrong: Set<string>
}

export const nameOf = ({ option, what, currency }: PaymentCase): string =>
  `${option.code} ${option.type} ${what}${currency === option.currency ? '' : ` in ${currency}`}`

/** Where customers of bank collections are sent. */
const REDIRECT_URL = 'https://shop.example/paid'
const WAITING = 'Waiting for the one-time password'
const FINAL = ['COMPLETED', 'FAILED', 'CANCELLED']

/** A number that nobody else uses. @param ending test number */
export const accountOf = ({ method, currency, prefixes }: Option, serial: number, ending: string): string =>
  method === 'BANK'
    ? bankAccount(serial, ending)
    : phoneNumber(currency, prefixes[serial % prefixes.length] ?? '', serial, ending)

/** The request of a life. */
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

export const send = (till: OptionsFixture, life: PaymentCase, body: Fields): Promise<ApiReply> =>
  (life.option.type === 'PAYOUT' ? payOut : collect)(till.merchant, body)
export const aboutOf = ({ option: { type } }: Pick<PaymentCase, 'option'>): string =>
  type === 'PAYOUT' ? 'sendFunds' : 'initializeCollection'

/** Sends all, does what their customers do, and waits until they are final. */
export async function playPayments(
  till: OptionsFixture,
  payments: readonly PaymentCase[],
): Promise<readonly PlayedCase[]> {
  const played = (await forEachOf(payments, (life) => begin(till, life))).flat()
  const { own } = till.target
  let open: readonly PlayedCase[] = played
  await passing(own, async () => {
    await forEachOf(open, (payment) => poll(till, payment))
    open = open.filter(({ record }) => !FINAL.includes(textOf(record, 'transaction_status')))
    return open.length === 0
  })
  return played
}

async function begin(till: OptionsFixture, life: PaymentCase): Promise<PlayedCase[]> {
  const serial = till.serial()
  const reference = till.reference(serial)
  const account = accountOf(life.option, serial, life.outcome.ending)
  const accepted = await send(till, life, bodyOf(life, reference, account))
  const { currency, amountMinor } = life
  const isAccepted = accepted.status === 202
  const what = `${nameOf(life)} (${wireOf(amountMinor, currency)} ${currency}) was answered ${reported(accepted)}, not 202`
  till.hold(aboutOf(life), `accepted ${life.what}`, !isAccepted && what, nameOf(life), [accepted.request], {
    names: [reference],
  })
  if (!isAccepted) {
    // Whatever was answered, it may have been carried out.
    till.spoiled.add(life.option.currency)
    return []
  }
  return [{ life, reference, account, accepted, record: {}, asked: accepted, wrong: new Set() }]
}

/** Our own gateway is reached through the target's address, where everything is recorded. */
async function onPage(
  { target: { own, url } }: OptionsFixture,
  { accepted: { data }, account }: PlayedCase,
): Promise<void> {
  const address = URL.parse(textOf(data, 'payment_url'))
  if (!address) return // told by the part receiver
  await walk('pays', newCustomer(own ? url + address.pathname : address.href), account).catch(() => undefined)
}

/** Asks what became of it, and does what its customer does; a page that did not answer is opened again. */
async function poll(till: OptionsFixture, payment: PlayedCase): Promise<void> {
  const { option } = payment.life
  payment.asked = await verify(till.merchant, payment.reference)
  payment.record = payment.asked.data
  const [status, message] = [textOf(payment.record, 'transaction_status'), textOf(payment.record, 'status_message')]
  const isOnPage = option.method === 'BANK' && option.type === 'COLLECTION'
  if (isOnPage && status === 'PENDING') return onPage(till, payment)
  if (payment.password || !message.startsWith(WAITING)) return
  const { internal_reference } = payment.accepted.data
  payment.password = await authorize(till.merchant, { internal_reference, otp: SANDBOX_OTP })
}
