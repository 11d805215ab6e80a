import { bankAccount, phoneNumber } from '../../harness/account-numbers.ts'
import type { Fields } from '../../harness/json.ts'
import { authorize, collect, payOut, verify, type Answer } from '../apart/merchant.ts'
import { told } from '../apart/answers.ts'
import { passing } from '../apart/steps.ts'
import { wireOf } from '../model/money.ts'
import { newCustomer } from '../receiver/customer.ts'
import { walk } from '../receiver/customer-plans.ts'
import { SANDBOX_OTP } from '../receiver/scenario-makers.ts'
import type { Life } from './lives.ts'
import type { Option } from './offered.ts'
import { forEachOf, textOf, type Till } from './till.ts'

/** A payment that was accepted. */
export interface Played {
  readonly life: Life
  readonly reference: string
  readonly account: string
  readonly accepted: Answer
  /** What verify told last. */
  record: Fields
  asked: Answer
  /** How its password was given; absent: it was not asked for. */
  password?: Answer
  /** Fields in which the record is not what it must be. */
  readonly wrong: Set<string>
}

export const nameOf = ({ option, what, currency }: Life): string =>
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
  { option, currency, amountMinor, chargeCustomer, bank }: Life,
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

export const send = (till: Till, life: Life, body: Fields): Promise<Answer> =>
  (life.option.type === 'PAYOUT' ? payOut : collect)(till.merchant, body)
export const aboutOf = ({ option: { type } }: Pick<Life, 'option'>): string =>
  type === 'PAYOUT' ? 'sendFunds' : 'initializeCollection'

/** Sends all, does what their customers do, and waits until they are final. */
export async function playLives(till: Till, lives: readonly Life[]): Promise<readonly Played[]> {
  const played = (await forEachOf(lives, (life) => begin(till, life))).flat()
  const { own } = till.target
  let open: readonly Played[] = played
  await passing(own, async () => {
    await forEachOf(open, (payment) => look(till, payment))
    open = open.filter(({ record }) => !FINAL.includes(textOf(record, 'transaction_status')))
    return open.length === 0
  })
  return played
}

async function begin(till: Till, life: Life): Promise<Played[]> {
  const serial = till.serial()
  const reference = till.reference(serial)
  const account = accountOf(life.option, serial, life.outcome.ending)
  const accepted = await send(till, life, bodyOf(life, reference, account))
  const { currency, amountMinor } = life
  const isAccepted = accepted.status === 202
  const what = `${nameOf(life)} (${wireOf(amountMinor, currency)} ${currency}) was answered ${told(accepted)}, not 202`
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
async function onPage({ target: { own, url } }: Till, { accepted: { data }, account }: Played): Promise<void> {
  const address = URL.parse(textOf(data, 'payment_url'))
  if (!address) return // told by the part receiver
  await walk('pays', newCustomer(own ? url + address.pathname : address.href), account).catch(() => undefined)
}

/** Asks what became of it, and does what its customer does; a page that did not answer is opened again. */
async function look(till: Till, payment: Played): Promise<void> {
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
