import { freshStart, runStamp } from './fresh-start.ts'
import type { Fields } from '../harness/json.ts'
import type { PartOutcome, RunOptions, Target } from '../harness/part.ts'
import { payoutFunds, tooLittle, UNCOVERED, type PayoutFunds } from './payout-funds.ts'
import type { WireRequest } from '../harness/proxy.ts'
import { createFindings, type Findings } from './findings.ts'
import { createDriver, type PaymentDriver } from './payment-driver.ts'
import type { Receiver } from './merchant-server.ts'
import { sendRequest, type ApiReply } from './requests.ts'
import { createStory } from './story.ts'

/** The state that all checks of a part share. */
export interface DriverFixture {
  readonly target: Target
  /** Receives what the target sends; absent: there is no receiver. */
  readonly merchant?: Receiver
  readonly size: RunOptions['size']
  readonly seed: number
  readonly findings: Findings
  /**
   * A group of related requests: they form the line that reproduces its findings. @param source where the contract says
   * what is expected of them
   */
  driver(name: string, source?: string): PaymentDriver
  /** Skipped checks, with the reason. */
  readonly skippedChecks: string[]
  skip(what: string): void
  /** Warns that a check was made in vain. @param why in words that follow "not judged: " */
  notJudged(why: string): void
  /** Whether the payout wallet covers payouts of this amount; otherwise it is a warning. */
  covers(payouts: PlannedPayouts): Promise<boolean>
  /** Whether a payout failed because earlier ones had used its wallet up: that is a warning, and no finding. */
  ranDry(record: Fields, payout: PlannedPayouts): Promise<boolean>
  /** What the part has done so far. */
  outcome(): PartOutcome
}

interface PlannedPayouts {
  readonly currency: string
  readonly amount: number
  /** What is not tested when they are not covered. */
  readonly tests: string
  /** They fail, and their money returns. */
  readonly areReturned?: true
}

/** Account numbers of MTN Uganda with one ending. */
const ACCOUNTS = 30_000
/** Where each part, and its repetition, begins in them. */
const RANGES: Readonly<Record<string, number>> = {
  LIMITS: 0,
  INPUTS: 15_000,
  OPTIONS: 22_500,
  APART: 24_000,
  OUTGOING: 28_000,
  ADDITIONS: 29_000,
}
const REPEATED = 5_000

export function createFixture(
  target: Target,
  { seed, size }: Pick<RunOptions, 'seed' | 'size'>,
  {
    merchant,
    prefix = 'LIMITS',
    round = 0,
  }: { readonly merchant?: Receiver | undefined; readonly prefix?: string; readonly round?: number } = {},
): DriverFixture {
  const stamp = runStamp(target, seed, round)
  const findings = createFindings()
  const skipped: string[] = []
  const { warnings, ...warns } = warningsOf(target)
  let cases = 0
  let counter = 0
  const firstAccount = freshStart(target, seed, ACCOUNTS) + (RANGES[prefix] ?? 0) + round * REPEATED
  const phones = new Map<string, number>()
  const broken = new Set<string>()
  const fresh = {
    prefix,
    stamp,
    number: () => counter++,
    account(ending: string) {
      const count = phones.get(ending) ?? 0
      phones.set(ending, count + 1)
      return firstAccount + count
    },
  }
  return {
    target,
    ...(merchant && { merchant }),
    size,
    seed,
    findings,
    skippedChecks: skipped,
    ...warns,
    skip: (what) => {
      if (!skipped.includes(what)) skipped.push(what)
    },
    driver: (name, source = 'the contract') => {
      const story = createStory(target, stamp)
      return createDriver({ target, account: target, findings, broken, fresh, send, name, source, story })
    },
    outcome() {
      const reasons = [...warnings, ...(skipped.length > 0 ? [`skipped: ${skipped.join('; ')}`] : [])]
      return {
        reason: reasons.length > 0 ? reasons.join('; ') : undefined,
        cases,
        checks: findings.checks,
        findings: findings.list().map(({ finding }) => finding),
      }
    },
  }

  function send(request: WireRequest): Promise<ApiReply> {
    cases += 1
    return sendRequest(target.url, request)
  }
}

/** What could not be tested. What the payout wallets still cover: a gateway of our own is new, its wallets are full. */
function warningsOf(
  target: Target,
): Pick<DriverFixture, 'notJudged' | 'covers' | 'ranDry'> & { readonly warnings: readonly string[] } {
  const warnings: string[] = []
  const held = new Map<string, number>()
  let funds: Promise<PayoutFunds | undefined> | undefined
  const warn = (why: string): void => {
    if (!warnings.includes(why)) warnings.push(why)
  }
  return {
    warnings,
    notJudged: (why) => warn(`not judged: ${why}`),
    async covers({ currency, amount, tests, areReturned }) {
      if (target.own) return true
      const before = held.get(currency) ?? 0
      const why = tooLittle(await (funds ??= payoutFunds(target)), currency, before + amount, tests)
      if (why !== undefined) warn(why)
      else if (!areReturned) held.set(currency, before + amount)
      return why === undefined
    },
    async ranDry({ transaction_status: status, status_message: message }, { currency, amount, tests }) {
      if (target.own || status !== 'FAILED' || message !== UNCOVERED) return false
      const why = tooLittle(await payoutFunds(target), currency, amount, tests)
      if (why !== undefined) warn(why)
      return why !== undefined
    },
  }
}
