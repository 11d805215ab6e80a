import { readContract } from '../../../openapi/reading/contract.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { passing } from '../../driver/clock.ts'
import { followPayments } from '../../driver/follow-payments.ts'
import { startReceiver, type Message } from '../../driver/merchant-server.ts'
import { isFinal, payloadOf } from '../../driver/message-fields.ts'
import { payoutFunds, tooLittle } from '../../driver/payout-funds.ts'
import { readAtOnce } from './at-once.ts'
import { makeBook, type CreatedPayment } from './created-payments.ts'
import { idempotencyKeys } from './idempotency.ts'
import { lists } from './lists.ts'
import { mixedKeys } from './mixed-keys.ts'
import { pages } from './pages.ts'
import { createPair, type MerchantPair } from './merchant-pair.ts'
import { rates } from './rates.ts'
import { funds, lastUnit, sharedAccounts, sharedNames } from './shared-things.ts'
import { otherMerchantsPayments } from './other-merchants-payments.ts'

const NO_OTHER = 'only one merchant is known: give --other-public-key and --other-secret-key'
const NO_SANDBOX = "the outcomes are those of the sandbox's test numbers"
const NOT_OURS = "a third party's rate limits are not used up"
const UNDELIVERED =
  'callbacks of the second merchant were not checked: point its URLs at /other/callbacks/collections, /other/callbacks/payouts and /other/handshake of the receiver, and give --other-signing-key and --other-webhook-secret'

export const apartPart: Part = {
  name: 'apart',
  what: 'two merchants: references, keys, Idempotency-Keys, wallets, pages, callbacks and limits of one never reach the other',
  run: (target, options) => runApart(target, options),
}

export type CheckName = keyof typeof CHECKS | 'rates'

/** @param only the checks to run, beside wallets and callbacks; absent: all */
export async function runApart(
  target: Target,
  { seed, size, log }: RunOptions,
  only?: readonly CheckName[],
): Promise<PartResult> {
  const { done, skipped } = beginPart('apart', seed)
  const { other, own, receiver } = target
  if (!other) return skipped(NO_OTHER)
  if (!target.sandbox) return skipped(NO_SANDBOX)
  const pair = createPair(target, other, { seed, size })
  const { fixture } = pair
  const isReceived = receiver !== undefined && other.receiver !== undefined
  if (!isReceived) fixture.skip(UNDELIVERED)
  const listening = receiver && (await startReceiver({ port: receiver.port, own }))
  try {
    const made = await pay(pair)
    const isWanted = (name: CheckName): boolean => only?.includes(name) ?? true
    for (const name of Object.keys(CHECKS) as (keyof typeof CHECKS)[])
      if (isWanted(name)) await CHECKS[name](pair, made)
    if (listening && isReceived) await judgeMessages(pair, made, listening.messages)
    if (!own) fixture.skip(NOT_OURS)
    else if (isWanted('rates')) await rates(pair, own)
    log(`apart: ${made.length} payments, ${listening?.messages.length ?? 0} messages`)
  } finally {
    await listening?.close()
  }
  return done(fixture.outcome())
}

type Check = (pair: MerchantPair, made: readonly CreatedPayment[]) => Promise<void>

/** Checks that run once both merchants have paid, by name. */
const CHECKS = {
  references: otherMerchantsPayments,
  'at once': readAtOnce,
  names: sharedNames,
  accounts: sharedAccounts,
  replays: idempotencyKeys,
  keys: (pair) => mixedKeys(pair, readContract(pair.fixture.target.contract)),
  options: lists,
  funds,
  lastUnit,
  pages,
} as const satisfies Readonly<Record<string, Check>>

/** More than the payouts of one merchant in this part. */
const PAYOUTS = 10_000

/** Both merchants pay: that no wallet of the other one moves, the rule "balances" sees in the recording. */
async function pay(pair: MerchantPair): Promise<readonly CreatedPayment[]> {
  const { target, skip } = pair.fixture
  const made: CreatedPayment[] = []
  for (const [payer] of pair.ways) {
    const funds = target.own ? undefined : await payoutFunds(payer)
    const lacking = tooLittle(funds, 'UGX', PAYOUTS, `a payout of ${payer.name}`)
    if (lacking !== undefined) skip(lacking)
    const book = await makeBook(pair, payer, lacking === undefined)
    await followPayments(
      target,
      book.filter(({ ends }) => ends),
      ({ record }) => isFinal(record),
    )
    made.push(...book)
  }
  return made
}

/** Each payment that ends has a callback; the rule "signatures" sees whose URL it comes to, and whose keys sign it. */
async function judgeMessages(
  { fixture }: MerchantPair,
  made: readonly CreatedPayment[],
  messages: readonly Message[],
): Promise<void> {
  const received = ({ reference }: CreatedPayment): boolean =>
    messages.some((message) => message.reference === reference && isFinal(payloadOf(message)))
  const ending = made.filter(({ ends }) => ends)
  await passing(fixture.target.own, () => ending.every(received))
  for (const payment of ending) {
    const { driver, merchant, what } = payment
    const missing = `no callback about ${what} of ${merchant.name} came`
    driver.hold('callbacks', received(payment), `of ${merchant.letter} arrive`, missing)
  }
}
