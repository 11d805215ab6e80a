import { isFields, type Fields } from '../../harness/json.ts'
import type { WireRequest } from '../../harness/proxy.ts'
import { reported } from './answers.ts'
import type { CreatedPayment } from './created-payments.ts'
import { verify, type Merchant } from './merchant.ts'
import type { MerchantPair } from './merchant-pair.ts'

const ABOUT = 'listWalletBalances'
/** Half of the smallest coin's value in any currency. */
const ROUNDING = 0.0005

interface Wallets {
  readonly request: WireRequest
  /** By type and currency, as listed. */
  readonly balances: ReadonlyMap<string, Fields>
}

/** All wallets of a merchant; each kind occurs once, or another merchant's wallet is among them. */
export async function walletsOf(pair: MerchantPair, merchant: Merchant): Promise<Wallets> {
  const answer = await merchant.request({ path: '/data/wallet-balances', withSecret: true })
  const { merchant_wallets: list } = answer.data
  const items = Array.isArray(list) ? list.filter(isFields) : []
  const names = items.map(({ wallet_type, currency }) => `${String(wallet_type)} ${String(currency)}`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  pair.hold(
    ABOUT,
    'answered',
    answer.status !== 200 && `wallets of ${merchant.name} were answered ${reported(answer)}, not 200`,
    [answer.request],
  )
  pair.hold(ABOUT, 'own wallets only', twice !== undefined && `the wallets of ${merchant.name} have ${twice} twice`, [
    answer.request,
  ])
  return { request: answer.request, balances: new Map(items.map((item, index) => [names[index] ?? '', item])) }
}

const actual = ({ balances }: Wallets, name: string): number => Number(balances.get(name)?.['actual_balance'] ?? 0)

/** Balances of both merchants before one of them paid. */
interface WalletsBefore {
  readonly payer: Merchant
  readonly paid: Wallets
  readonly otherMerchant: Merchant
  readonly stood: Wallets
}

/** A merchant's payments move its own wallets and nobody else's. @returns the faults, by rule */
export async function movedByOne(
  pair: MerchantPair,
  made: readonly CreatedPayment[],
  { payer, paid, otherMerchant, stood }: WalletsBefore,
): Promise<ReadonlyMap<string, string>> {
  const [after, stands] = [await walletsOf(pair, payer), await walletsOf(pair, otherMerchant)]
  const faults = new Map<string, string>()
  const report = (rule: string, what: string) => faults.set(rule, faults.get(rule) ?? what)
  for (const name of new Set([...stood.balances.keys(), ...stands.balances.keys()])) {
    const [was, is] = [stood.balances.get(name), stands.balances.get(name)]
    if (JSON.stringify(was) !== JSON.stringify(is))
      report(
        'moved by another',
        `payments of ${payer.name} moved ${name} of ${otherMerchant.name} from ${String(was?.['actual_balance'])} to ${String(is?.['actual_balance'])}`,
      )
  }
  const records = await Promise.all(made.map(({ reference }) => verify(payer, reference)))
  for (const [name, by] of totalsOf(records.map(({ data }) => data))) {
    const moved = actual(after, name) - actual(paid, name)
    if (Math.abs(moved - by) > ROUNDING)
      report('moved by oneself', `payments of ${payer.name} with totals of ${by} moved its ${name} by ${moved}`)
  }
  return faults
}

/** The expected movement of each wallet. */
function totalsOf(records: readonly Fields[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const record of records) {
    const isPayout = record['transaction_type'] === 'PAYOUT'
    const name = `${isPayout ? 'MERCHANT_PAYOUT' : 'MERCHANT_COLLECTION'} ${String(record['transaction_currency'])}`
    const isDone = record['transaction_status'] === 'COMPLETED'
    const total = isPayout ? -Number(record['total_debit']) : Number(record['total_credit'])
    totals.set(name, (totals.get(name) ?? 0) + (isDone ? total : 0))
  }
  return totals
}

const POLLS_MAX = 10
const POLL_MS = 2_500
/** Longer than the way from a handshake or OTP to the callback. */
const STEPS = 4

/** Waits until no wallet moves any more: earlier payments may still be in progress. */
export async function whenQuiet(pair: MerchantPair): Promise<void> {
  const { own } = pair.target
  for (let step = 0; own && step < STEPS; step++) await own.advance(POLL_MS)
  let before = ''
  for (let poll = 0; !own && poll < POLLS_MAX; poll++) {
    const wallets = [await walletsOf(pair, pair.first), await walletsOf(pair, pair.second)]
    const now = JSON.stringify(wallets.map(({ balances }) => [...balances]))
    if (now === before) return
    before = now
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
