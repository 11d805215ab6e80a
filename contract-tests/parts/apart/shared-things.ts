import { reported } from '../../driver/api-replies.ts'
import type { PaymentDriver } from '../../driver/payment-driver.ts'
import { payoutFunds, UNCOVERED } from '../../driver/payout-funds.ts'
import { numberOf } from '../../driver/provider-options.ts'
import type { ApiReply } from '../../driver/requests.ts'
import { descriptionOf } from './created-payments.ts'
import { driversOf, paysOut, type Merchant, type MerchantPair } from './merchant-pair.ts'

/** Amounts identify the owner of a payment. */
const AMOUNTS = { A: 1_500, B: 2_500 } as const

/** Whether two requests share a commit is chance. */
const ROUNDS = 3

type Pay = (driver: PaymentDriver, merchant: Merchant, merchant_reference: string) => Promise<ApiReply>
const common = (merchant: Merchant, merchant_reference: string) => ({
  merchant_reference,
  description: descriptionOf(merchant),
  amount: AMOUNTS[merchant.letter],
})
const collects: Pay = (driver, merchant, reference) =>
  driver.collect({ ...common(merchant, reference), msisdn: driver.phone() })
const pays: Pay = (driver, merchant, reference) =>
  driver.pay({ ...common(merchant, reference), account_number: driver.phone() })

/** Both merchants may use the same merchant_reference: for two collections, for two payouts, for one of each. */
export async function sharedNames(pair: MerchantPair): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await sharedName(pair, collects, collects)
  if (!paysOut(pair)) return
  await sharedName(pair, pays, pays)
  await sharedName(pair, collects, pays)
}

async function sharedName(pair: MerchantPair, firstPays: Pay, secondPays: Pay): Promise<void> {
  const { first, second } = pair
  const { driver, one, other } = driversOf(pair, 'the same merchant_reference of two merchants')
  const reference = driver.reference()
  const replies = await Promise.all([firstPays(one, first, reference), secondPays(other, second, reference)])
  const refused = replies.find(({ status }) => status !== 202)
  const [mine, others] = replies.map(({ data }) => data['internal_reference'])
  const about = 'merchant_reference'
  if (
    !driver.hold(about, !refused, 'used by both', `one of them was answered ${refused && reported(refused)}, not 202`)
  )
    return
  driver.hold(about, mine !== others, 'one payment of two', 'the two payments have one internal_reference')
  for (const [requester, merchant, own] of [[one, first, mine] as const, [other, second, others] as const]) {
    const { internal_reference: found, request_amount: amount } = await requester.verify(reference)
    const what = `verify of a merchant_reference that both use returned to ${merchant.name} another payment than its own (${String(found)}, ${String(amount)})`
    const isOwn = found === own && amount === AMOUNTS[merchant.letter]
    driver.hold('verifyTransaction', isOwn, 'of a shared reference', what)
  }
}

/** What one merchant states about its customer. */
const STATEMENTS = { customer_name: 'Amina of the one', customer_email: 'amina@one.example' }

/** Two merchants with one customer, by phone number: what one of them states is never disclosed to the other. */
export async function sharedAccounts({ fixture, ways }: MerchantPair): Promise<void> {
  for (const [one, other] of ways) {
    const driver = fixture.driver('two merchants with one customer')
    const msisdn = driver.phone()
    const unnamed = driver.reference()
    await driver.as(one).collect({ msisdn, ...STATEMENTS })
    const second = await driver.as(other).collect({ msisdn, merchant_reference: unnamed })
    await driver.as(other).settled(unnamed)
    const found = await driver.as(other).find(unnamed)
    const text = [second, found].map(({ reply }) => reply?.body.toString('utf8') ?? '').join('\n')
    const leaked = Object.entries(STATEMENTS).find(([, value]) => text.includes(value))?.[0]
    const what = `a payment of ${other.name} contains the ${leaked} that ${one.name} gave for the account`
    driver.hold('verifyTransaction', leaked === undefined, 'disclosed to another', what)
  }
}

/** Limit of `mtn_ug` for one payment (docs, page "The sandbox"). */
const AMOUNT_MIN = 500
const AMOUNT_MAX = 3_000_000

const EXACTLY = { provider_code: 'mtn_rw', currency: 'RWF', amount: 10_000 }
/** 0.5 % (docs, page "The sandbox"). */
const CHARGE = 50

/** A payout that takes the last unit of its wallet is paid. Where a wallet has just that: it is empty afterwards. */
export async function lastUnit({ fixture, second }: MerchantPair): Promise<void> {
  const driver = fixture.driver('a payout of all that a wallet has').as(second)
  const held = (await payoutFunds(second))?.get('RWF')
  if (held !== EXACTLY.amount + CHARGE)
    return fixture.skip(`a payout of all that a wallet has: the second one has not just ${EXACTLY.amount + CHARGE} RWF`)
  const reference = driver.reference()
  const account_number = numberOf(driver, 'RWF', '78', '001')
  await driver.pay({ ...EXACTLY, merchant_reference: reference, account_number })
  const { transaction_status: came, status_message: message, total_debit: debit } = await driver.settled(reference)
  const what = `a payout of ${EXACTLY.amount} RWF from a wallet with ${held}, all that it takes with its charge, is ${String(came)} "${String(message)}"`
  driver.hold('sendFunds', came === 'COMPLETED' && debit === held, 'the last unit of a wallet', what)
}

/** A merchant with too little money is not paid for by the other one. */
export async function funds({ fixture, first, second }: MerchantPair): Promise<void> {
  const [one = 0, other = 0] = await Promise.all(
    [first, second].map(async (merchant) => (await payoutFunds(merchant))?.get('UGX') ?? 0),
  )
  const [poor, lacking] = one < other ? [first, one] : [second, other]
  const amount = Math.max(Math.ceil(lacking), AMOUNT_MIN)
  // Both merchants together have enough; each alone, because of the charge, does not.
  if (amount > AMOUNT_MAX || Math.max(one, other) < 2 * amount)
    return fixture.skip(
      'both merchants have as much in their payout wallets: a payout that one alone cannot pay was not tried',
    )
  const driver = fixture.driver('a payout without funds').as(poor)
  const reference = driver.reference()
  const { status } = await driver.pay({ merchant_reference: reference, account_number: driver.phone(), amount })
  if (status !== 202) return
  const { transaction_status: came, status_message: message } = await driver.settled(reference)
  const isRefused = came === 'FAILED' && message === UNCOVERED
  const what = `a payout of ${amount} UGX, which ${poor.name} cannot pay and the other one could, is ${String(came)} "${String(message)}"`
  driver.hold('sendFunds', isRefused, 'funds of another', what)
}
