import type { Contract } from '../openapi/reading/contract.ts'
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
const AT_ONCE = 8
const REPLY_MS_MAX = 5_000
const WALLETS = '/data/wallet-balances'
/** A late success follows the failure of this test number. */
const LATE_SUCCESS = /007$/

/** Reads the wallets while nothing is in flight, so that the rule "balances" can compare readings. */
export interface WalletReader {
  /** Called with everything that is recorded: payments are known from it. */
  record(exchange: Exchange, direction: Direction): void
  /**
   * Waits until all known payments are final, reads the wallets of all merchants, and verifies what is still open. A
   * server that does not answer ends nothing: then there is no reading.
   */
  read(target: Target): Promise<void>
}

export function createWalletReader(contract: Contract): WalletReader {
  const payments = createPayments()
  const observe = createReader(contract)
  /** Open payments that have stayed as they were during a whole wait. */
  const stuck = new Set<FollowedPayment>()
  const open = (): readonly FollowedPayment[] => payments.all().filter((payment) => !isFinal(payment))
  const mayChange = (): readonly FollowedPayment[] =>
    payments.all().filter((payment) => !isFinal(payment) || mayTurn(payment))
  const waiting = (): readonly FollowedPayment[] => open().filter((payment) => !stuck.has(payment))
  return {
    record: (exchange, direction) => payments.follow(observe(exchange, direction)),
    async read(target) {
      const { own } = target
      for (const { merchant, reference } of payments.unread())
        await get(target, merchant, `/payout/batches/${reference}`)
      await verifyAll(target, waiting())
      for (let poll = 0, quiet = 0; poll < POLLS_MAX && quiet < QUIET_POLLS && waiting().length > 0; poll += 1) {
        const before = statesOf(waiting())
        if (own) await own.advance(OWN_STEPS_MS[poll] ?? 0)
        else await pause(POLL_MS)
        await verifyAll(target, waiting())
        quiet = !own && statesOf(waiting()) === before ? quiet + 1 : 0
      }
      for (const payment of waiting()) stuck.add(payment)
      await verifyAll(target, mayChange())
      await pause(APART_MS)
      for (const { publicKey } of merchantsOf(target)) await get(target, publicKey, WALLETS)
      await pause(APART_MS)
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
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function verifyAll(target: Target, payments: readonly FollowedPayment[]): Promise<void> {
  const queue = payments.values()
  const next = async (): Promise<void> => {
    for (const { merchant, merchantReference, type } of queue) {
      const path = type === 'REFUND' ? '/collections/refund/' : '/data/transaction/verify/'
      if (merchant !== undefined) await get(target, merchant, path + encodeURIComponent(merchantReference))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

/** One request through the recorder; what it says is known from there. */
async function get(target: Target, merchant: string, path: string): Promise<void> {
  const keys = merchantsOf(target).find(({ publicKey }) => publicKey === merchant)
  if (!keys) return
  const secret = path.startsWith('/data/transaction/') ? {} : { 'secret-key': keys.secretKey }
  const headers = { 'public-key': keys.publicKey, ...secret, 'x-api-version': '1' }
  await fetch(target.url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(REPLY_MS_MAX) })
    .then((reply) => reply.arrayBuffer())
    .catch(() => undefined)
}

/** The parts of a suite, between two readings of the wallets each. */
export interface WalletJudging extends Pick<WalletReader, 'record'> {
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
