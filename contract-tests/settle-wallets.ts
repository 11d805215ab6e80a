import type { Contract } from '../openapi/reading/contract.ts'
import { elapse } from './driver/clock.ts'
import { forEachOf } from './driver/for-each-of.ts'
import { getRequest, sendRequest } from './driver/requests.ts'
import type { Exchange } from './harness/proxy.ts'
import type { Direction } from './harness/coverage/exchange.ts'
import type { Part, Target } from './harness/part.ts'
import { createPayments, type FollowedPayment } from './rules/money/payments.ts'
import type { ServerJudge } from './rules/judge-traffic.ts'
import { createReader } from './rules/observed-exchange.ts'

/** Steps of the clock until every test number of the sandbox has had its outcome, and every page has expired. */
const OWN_STEPS_MS: readonly number[] = [0, 2_000, 2_000, 3_000, 61_000, 31 * 60_000]
const POLLS_MAX = OWN_STEPS_MS.length
const POLL_MS = 1_000
/** Nothing changes any more on another server: what is open waits for its customer, or for staff. */
const QUIET_POLLS = 2
/** A reading and what precedes it differ in their milliseconds. */
const APART_MS = 3
const WALLETS = '/data/wallet-balances'
/** A late success follows the failure of this test number. */
const LATE_SUCCESS = /007$/

/** Reads the wallets while nothing is in flight, so that the rule "balances" can compare readings. */
function createWalletReader(contract: Contract) {
  const payments = createPayments()
  const observe = createReader(contract)
  /** Open payments that have stayed as they were during a whole wait. */
  const stuck = new Set<FollowedPayment>()
  const open = (): readonly FollowedPayment[] => payments.all().filter((payment) => !isFinal(payment))
  const mayChange = (): readonly FollowedPayment[] =>
    payments.all().filter((payment) => !isFinal(payment) || mayTurn(payment))
  const waiting = (): readonly FollowedPayment[] => open().filter((payment) => !stuck.has(payment))
  return {
    /** Called with everything that is recorded: payments are known from it. */
    record: (exchange: Exchange, direction: Direction): void => payments.follow(observe(exchange, direction)),
    /**
     * Waits until all known payments are final, reads the wallets of all merchants, and verifies what is still open. A
     * server that does not answer ends nothing: then there is no reading.
     */
    async read(target: Target): Promise<void> {
      const { own } = target
      for (const { merchant, reference } of payments.unread())
        await get(target, merchant, `/payout/batches/${reference}`)
      await verifyAll(target, waiting())
      for (let poll = 0, quiet = 0; poll < POLLS_MAX && quiet < QUIET_POLLS && waiting().length > 0; poll += 1) {
        const before = statesOf(waiting())
        await elapse(own, own ? (OWN_STEPS_MS[poll] ?? 0) : POLL_MS)
        await verifyAll(target, waiting())
        quiet = !own && statesOf(waiting()) === before ? quiet + 1 : 0
      }
      for (const payment of waiting()) stuck.add(payment)
      await verifyAll(target, mayChange())
      await elapse(undefined, APART_MS)
      for (const { publicKey } of merchantsOf(target)) await get(target, publicKey, WALLETS)
      await elapse(undefined, APART_MS)
      await verifyAll(target, mayChange())
    },
  }
}

const statesOf = (payments: readonly FollowedPayment[]): string =>
  payments.map(({ internalReference, spans }) => `${internalReference} ${spans.at(-1)?.status}`).join()
const mayTurn = ({ account, spans }: FollowedPayment): boolean =>
  LATE_SUCCESS.test(account) && spans.at(-1)?.status === 'FAILED'
/** A payment that was only accepted is pending in an unknown currency. */
const isFinal = ({ spans }: FollowedPayment): boolean =>
  ['COMPLETED', 'FAILED', 'CANCELLED'].includes(spans.at(-1)?.status ?? '')

const merchantsOf = ({ publicKey, secretKey, other }: Target) => [{ publicKey, secretKey }, ...(other ? [other] : [])]

const verifyAll = (target: Target, payments: readonly FollowedPayment[]): Promise<unknown> =>
  forEachOf(payments, async ({ merchant, merchantReference, type }) => {
    const path = type === 'REFUND' ? '/collections/refund/' : '/data/transaction/verify/'
    if (merchant !== undefined) await get(target, merchant, path + encodeURIComponent(merchantReference))
  })

/** One request through the recorder; what it says is known from there. */
async function get(target: Target, merchant: string, path: string): Promise<void> {
  const keys = merchantsOf(target).find(({ publicKey }) => publicKey === merchant)
  if (!keys) return
  const secret = path.startsWith('/data/transaction/') ? {} : { 'secret-key': keys.secretKey }
  await sendRequest(target.url, getRequest(keys, path, secret))
}

/** The parts of a suite, between two readings of the wallets each. */
export interface WalletJudging {
  record(exchange: Exchange, direction: Direction): void
  /** Runs a part, and has the rules compare the wallets before and after it. */
  around<Result>(part: Pick<Part, 'isUnrecorded'>, target: Target, run: () => Promise<Result>): Promise<Result>
}

/** @param isOneServer what a part has moved past the recorders makes all later readings useless */
export function createWalletJudging(
  contract: Contract,
  rules: Pick<ServerJudge, 'whole'>,
  isOneServer: boolean,
): WalletJudging {
  let reader = createWalletReader(contract)
  let isKnown = true
  return {
    record: (exchange, direction) => reader.record(exchange, direction),
    async around(part, target, run) {
      if (!isOneServer) reader = createWalletReader(contract)
      isKnown &&= !part.isUnrecorded || !isOneServer
      const isJudged = isKnown && !part.isUnrecorded && (target.own !== undefined || target.isOnlyUser === true)
      rules.whole(isJudged)
      try {
        if (isJudged) await reader.read(target)
        const result = await run()
        if (isJudged) await reader.read(target)
        return result
      } finally {
        rules.whole(false)
      }
    },
  }
}
