import { payoutFunds, tooLittle } from '../../driver/payout-funds.ts'
import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { createFindings } from '../../driver/findings.ts'
import { judge } from './judge.ts'
import { WEBHOOK_PATHS } from '../../driver/webhooks.ts'
import { play } from './play.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const CLOCK_OF_ANOTHER = 'the clock cannot be moved: of the retries only the first was waited for, and no page expired'

export const receiverPart: Part = {
  name: 'receiver',
  runsBeside: true,
  what: 'payments of every outcome; callbacks and handshakes answered in every way, and their attempts',
  byOperation: true,
  run: (target, options) =>
    runScenarios(target, options, (run) =>
      scenarios({ ...options, run, canWait: target.own !== undefined }).filter(
        ({ operation }) => options.operations === undefined || options.operations.includes(operation),
      ),
    ),
}

/** Plays the payments that `choose` returns for this run, and judges everything that the target sends about them. */
export async function runScenarios(
  target: Target,
  { seed, log }: RunOptions,
  choose: (run: number) => readonly Scenario[],
): Promise<PartResult> {
  const { done, skipped } = beginPart('receiver', seed)
  const { receiver } = target
  if (!receiver)
    return skipped(
      `the target has no receiver: set its URLs to http://<this machine>:<port> with ${Object.values(WEBHOOK_PATHS).join(', ')}, and give --receiver-port, --signing-key and --webhook-secret`,
    )
  if (!target.sandbox) return skipped("the outcomes are those of the sandbox's test numbers")

  const { covered, warnings } = await coveredPayouts(target)
  const played = async (chosen: typeof choose) => {
    const findings = createFindings<Scenario>()
    const { played: payments, messages } = await play({
      target: { ...target, receiver },
      seed,
      findings,
      choose: (run) => covered(chosen(run)),
    })
    judge(payments, messages, findings)
    log(`receiver: ${payments.length} payments, ${messages.length} messages`)
    return { findings, cases: payments.length + messages.length }
  }
  const { findings, cases } = await played(choose)
  const found = findings.list()
  const again = [...new Set(found.flatMap((each) => each.again ?? []))]
  let repeated: Promise<ReadonlySet<string>> | undefined
  /** All time-dependent payments are played again together, when the first of them is repeated. */
  const keysAgain = (): Promise<ReadonlySet<string>> =>
    (repeated ??= played(() => again).then(({ findings: seen }) => new Set(seen.list().map(({ key }) => key))))
  return done({
    reason: target.own ? undefined : [...warnings, CLOCK_OF_ANOTHER].join('; '),
    cases,
    checks: findings.checks,
    rules: findings.rules(),
    findings: found.map(({ key, finding, again: scenario }) => ({
      ...finding,
      ...(scenario && { recurs: async () => (await keysAgain()).has(key) }),
    })),
  })
}

/** Skips payouts that the account cannot pay for: the wallet of a running server may be used up. */
async function coveredPayouts(target: Target) {
  const funds = target.own ? undefined : await payoutFunds(target)
  const warnings = new Set<string>()
  const covered = (chosen: readonly Scenario[]): readonly Scenario[] => {
    const payouts = Map.groupBy(
      chosen.filter(({ operation }) => operation === 'sendFunds'),
      ({ body }) => String(body['currency']),
    )
    const uncovered = [...payouts].flatMap(([currency, group]) => {
      const amount = group.reduce((sum, { body }) => sum + Number(body['amount']), 0)
      const why = tooLittle(funds, currency, amount, `${group.length} payouts and their messages`)
      if (why !== undefined) warnings.add(why)
      return why === undefined ? [] : group
    })
    return chosen.filter((scenario) => !uncovered.includes(scenario))
  }
  return { covered, warnings }
}
