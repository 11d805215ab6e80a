import fc from 'fast-check'
import { MalipoError, type Malipo } from '../../../client/index.ts'
import type { Finding, Target } from '../../harness/part.ts'
import { anyCommand } from './commands/index.ts'
import { CUSTOMERS } from './draft.ts'
import { finish, settleDown } from './finish.ts'
import type { MerchantServer } from './merchant-server.ts'
import { wireOf } from '../../driver/money.ts'
import { optionName, readLimits, WAYS, type Limits } from './options.ts'
import { DAY_MS } from './payment.ts'
import { Rules, Violation } from './violation.ts'
import { readBalances } from './balances.ts'
import { clientOf, type PaymentModel, type SystemUnderTest } from './world.ts'

export interface ModelOptions {
  readonly seed: number
  readonly runs: number
  readonly commandsMax: number
  /** Attempts to shrink the command list of a failed run. */
  readonly shorterMax: number
  readonly findingsMax: number
  readonly log: (line: string) => void
}

export interface ModelReport {
  /** Commands that were run. */
  readonly commands: number
  readonly checks: number
  readonly findings: readonly Finding[]
  /** Findings that did not recur when the run was repeated. */
  readonly notReproduced: readonly Finding[]
  /** Names of the rules that were checked. */
  readonly rules: readonly string[]
}

/** State of one search, shared by all of its runs. */
interface Search {
  readonly target: Target
  readonly malipo: Malipo
  readonly merchant: MerchantServer | undefined
  readonly rules: Rules
  readonly limits: ReadonlyMap<string, Limits>
  /** The audit's findings before the run: an old fault is not reported again. */
  oldFaults: ReadonlySet<string>
  /** Distinguishes this search from earlier ones on the same server. */
  readonly name: string
  runs: number
  commands: number
}

interface Failure {
  readonly violation: Violation
  readonly story: readonly string[]
}

/** Runs random command lists until one breaks a rule, shrinks it, and looks for other rules that break. */
export async function checkModel(
  target: Target,
  merchant: MerchantServer | undefined,
  options: ModelOptions,
): Promise<ModelReport> {
  const malipo = clientOf(target)
  const limits = await readLimits(malipo)
  const name = await takeName(malipo, limits, options.seed)
  // Lets earlier payments end, and a day pass so that their use of the daily limits expires.
  for (const ms of [DAY_MS + 1, SECOND, 3 * SECOND]) await target.own?.advance(ms)
  if (!target.own) await untilQuiet(malipo)
  const search: Search = {
    target,
    malipo,
    merchant,
    limits,
    name,
    rules: new Rules(),
    oldFaults: await faultsOf(target),
    runs: 0,
    commands: 0,
  }
  const findings: Finding[] = []
  const notReproduced: Finding[] = []
  const known = new Set<string>()
  let left = options.runs
  for (let seed = options.seed; left > 0 && findings.length < options.findingsMax; seed += 1) {
    const { runs, finding, rule, once } = await searchOnce(search, { ...options, seed, runs: left }, known)
    left -= runs
    if (once) notReproduced.push(once)
    else if (finding && rule) {
      options.log(`model: ${finding.about}: ${finding.what}`)
      findings.push(finding)
      known.add(rule)
    } else break
  }
  return { commands: search.commands, checks: search.rules.checks, findings, notReproduced, rules: search.rules.names }
}

interface SearchResult {
  readonly runs: number
  readonly finding?: Finding
  readonly rule?: string
  /** A violation that did not recur when the run was repeated. */
  readonly once?: Finding
}

async function searchOnce(
  search: Search,
  { seed, runs, commandsMax, shorterMax }: ModelOptions,
  known: ReadonlySet<string>,
): Promise<SearchResult> {
  let failure: Failure | undefined
  let shorter = 0
  const commands = fc.commands([anyCommand(search.target.own !== undefined)], { maxCommands: commandsMax, size: 'max' })
  const property = fc.asyncProperty(commands, async (list) => {
    // Every attempt is a run on a real server, so shrinking has to be bounded.
    if (failure && shorter++ >= shorterMax) return
    const failed = await runOnce(search, list)
    if (!failed || known.has(failed.violation.rule) || (failure && failed.violation.rule !== failure.violation.rule))
      return
    failure = failed
    throw failed.violation
  })
  const details = await fc.check(property, { seed, numRuns: runs })
  if (!failure) return { runs }
  const { violation, story } = failure
  const steps = story.map((sentence, index) => `${index + 1}. ${sentence}`).join('; ')
  const finding: Finding = {
    about: violation.rule,
    what: `${violation.message}. Seen after: ${steps} (seed ${seed}, path ${details.counterexamplePath ?? ''})`,
    cause: `model: ${violation.rule}`,
    ...(violation.curl !== undefined && { curl: violation.curl }),
  }
  // A shrunk list has broken the rule twice already. Any other list is repeated once: under load a reply or a callback
  // may have come too late.
  const again = details.numShrinks > 0 ? failure : await runOnce(search, details.counterexample?.[0] ?? [])
  const isSeen = again !== undefined && !known.has(again.violation.rule)
  return isSeen ? { runs: details.numRuns, rule: violation.rule, finding } : { runs: details.numRuns, once: finding }
}

async function runOnce(
  search: Search,
  list: Iterable<fc.AsyncCommand<PaymentModel, SystemUnderTest>>,
): Promise<Failure | undefined> {
  const number = search.runs++
  const model: PaymentModel = {
    name: `${search.name}-${number.toString(36).toUpperCase()}`,
    customers: Array.from({ length: CUSTOMERS }, (_, n) =>
      String((firstCustomer(search) + number * CUSTOMERS + n) % 10_000).padStart(4, '0'),
    ),
    now: 0,
    references: 0,
    payments: [],
    story: [],
  }
  try {
    const real: SystemUnderTest = { ...search, opening: await readBalances(search.malipo) }
    await fc.asyncModelRun(() => ({ model, real }), counted(list, search))
    await finish(model, real)
    return undefined
  } catch (error) {
    const story = [...model.story]
    await settleDown(model, search)
    search.oldFaults = await faultsOf(search.target)
    return { violation: asViolation(error), story }
  }
}

/** Another server's accounts may have used some of their daily limit: each search begins with other accounts. */
const firstCustomer = ({ target, name }: Search): number =>
  target.own ? 0 : [...name].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 10_000, 7)

const faultsOf = async ({ own }: Target): Promise<ReadonlySet<string>> => new Set(await own?.audit())

/** The list, counting each command that runs. */
function* counted(
  list: Iterable<fc.AsyncCommand<PaymentModel, SystemUnderTest>>,
  search: Search,
): Iterable<fc.AsyncCommand<PaymentModel, SystemUnderTest>> {
  for (const one of list) {
    yield {
      check: (model) => one.check(model),
      run: (model, real) => {
        search.commands += 1
        return one.run(model, real)
      },
      toString: () => one.toString(),
    }
  }
}

function asViolation(error: unknown): Violation {
  if (error instanceof Violation) return error
  if (error instanceof MalipoError)
    return new Violation(
      'every request gets an answer of the contract',
      `${error.kind}${error.status === undefined ? '' : ` (HTTP ${error.status})`}: ${error.message}`,
    )
  return new Violation('every request gets an answer of the contract', String(error))
}

const SECOND = 1000
const POLLS_MAX = 10

/** Payments of an earlier part may still end on a running server: their money would look like that of this one. */
async function untilQuiet(malipo: Malipo): Promise<void> {
  let before = ''
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const balances = [...(await readBalances(malipo))]
    const now = balances.map(
      ([wallet, { actualMinor, availableMinor }]) => `${wallet} ${actualMinor} ${availableMinor}`,
    )
    if (now.join('\n') === before) return
    before = now.join('\n')
    await new Promise((resolve) => setTimeout(resolve, 3 * SECOND))
  }
}

const NAMES_MAX = 1000

/** References are unique for ever: the same seed needs new ones next time. A failed collection keeps its name. */
async function takeName(malipo: Malipo, limits: Search['limits'], seed: number): Promise<string> {
  const { providerCode, currency, accountPrefix } = WAYS.mtnUganda
  const { minMinor } = limits.get(optionName(providerCode, 'COLLECTION')) ?? { minMinor: 0n }
  for (let n = 0; n < NAMES_MAX; n += 1) {
    const name = `M${seed.toString(36).toUpperCase()}.${n}`
    try {
      await malipo.collections.initialize({
        transaction_method: 'MOBILE_MONEY',
        provider_code: providerCode,
        merchant_reference: `${name}-NAME`,
        msisdn: `${accountPrefix}0000004`,
        currency,
        amount: wireOf(minMinor, currency),
        description: 'Takes a name',
      })
      return name
    } catch (error) {
      if (!(error instanceof MalipoError) || error.kind !== 'duplicate') throw error
    }
  }
  throw new Error(`seed ${seed} has been used too often on this server`)
}
