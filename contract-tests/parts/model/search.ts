import fc from 'fast-check'
import { freshStart } from '../../driver/fresh-start.ts'
import { payoutFunds } from '../../driver/payout-funds.ts'
import { curlLine } from '../../harness/curl.ts'
import type { Finding } from '../../harness/part.ts'
import { anyCommand, type Command } from './commands.ts'
import { finish } from './observe.ts'
import { CUSTOMERS } from './recipes.ts'
import { DAY_MS, Violation, type ModelRun, type SystemUnderTest } from './world.ts'

export interface SearchOptions {
  readonly seed: number
  readonly runs: number
  readonly commandsMax: number
  /** Attempts to shrink the command list of a failed run. */
  readonly shorterMax: number
  readonly findingsMax: number
  readonly log: (line: string) => void
}

/** State of one search, shared by all of its runs. */
interface Search {
  readonly system: SystemUnderTest
  /** Distinguishes this search from others on the same server: its clock never stands where it stood. */
  readonly name: string
  readonly options: SearchOptions
  runs: number
  commands: number
}

interface Failure {
  readonly violation: Violation
  readonly story: readonly string[]
}

const SECOND_MS = 1_000

/**
 * Runs random command lists until one breaks a rule, shrinks it, and looks for other rules that break. @returns how many
 * commands were run, and findings; those that did not recur when the run was repeated, apart
 */
export async function searchModel(system: SystemUnderTest, options: SearchOptions) {
  const { own } = system
  // Lets earlier payments end, and a day pass so that their use of the daily limits expires.
  for (const ms of [DAY_MS + 1, SECOND_MS, 3 * SECOND_MS]) await own?.advance(ms)
  const name = `M${(own?.now().getTime() ?? Date.now()).toString(36).toUpperCase()}`
  const search: Search = { system, name, options, runs: 0, commands: 0 }
  const findings: Finding[] = []
  const notReproduced: Finding[] = []
  const known = new Set<string>()
  for (let seed = options.seed; search.runs < options.runs && findings.length < options.findingsMax; seed += 1) {
    const searched = await searchOnce(search, seed, known)
    if (!searched) break
    const { finding, isReproduced } = searched
    if (isReproduced) {
      options.log(`model: ${finding.about}: ${finding.what}`)
      findings.push(finding)
      known.add(finding.about)
    } else notReproduced.push(finding)
  }
  return { commands: search.commands, findings, notReproduced }
}

async function searchOnce(search: Search, seed: number, known: ReadonlySet<string>) {
  const { system, options } = search
  let failure: Failure | undefined
  let shorter = 0
  const lists = fc.array(anyCommand(system.own !== undefined), { maxLength: options.commandsMax, size: 'max' })
  const property = fc.asyncProperty(lists, async (list) => {
    // Every attempt is a run on a real server, so shrinking has to be bounded.
    if (failure && shorter++ >= options.shorterMax) return
    const failed = await runOnce(search, list)
    if (!failed || known.has(failed.violation.rule) || (failure && failed.violation.rule !== failure.violation.rule))
      return
    failure = failed
    throw failed.violation
  })
  const details = await fc.check(property, { seed, numRuns: options.runs - search.runs })
  if (!failure) return undefined
  const { violation, story } = failure
  const steps = story.map((sentence, index) => `${index + 1}. ${sentence}`).join('; ')
  const finding: Finding = {
    about: violation.rule,
    what: `${violation.message}. Seen after: ${steps} (seed ${seed}, path ${details.counterexamplePath ?? ''})`,
    cause: `model: ${violation.rule}`,
    ...(violation.request && { curl: curlLine(system.target, violation.request) }),
  }
  // A shrunk list has broken the rule twice already. Any other list is repeated once: under load a reply or a callback
  // may have come too late.
  const again = details.numShrinks > 0 ? failure : await runOnce(search, details.counterexample?.[0] ?? [])
  return { finding, isReproduced: again !== undefined && !known.has(again.violation.rule) }
}

async function runOnce(search: Search, list: readonly Command[]): Promise<Failure | undefined> {
  const { system, name, options } = search
  const { own, target } = system
  const number = search.runs++
  const first = freshStart(target, options.seed, 10_000) + number * CUSTOMERS
  const story: string[] = []
  try {
    const run: ModelRun = {
      ...system,
      name: `${name}-${number.toString(36).toUpperCase()}`,
      customers: Array.from({ length: CUSTOMERS }, (_, n) => String((first + n) % 10_000).padStart(4, '0')),
      funds: await payoutFunds(target),
      oldFaults: (await own?.audit()) ?? [],
      now: 0,
      references: 0,
      payments: [],
      story,
    }
    for (const command of list) {
      search.commands += 1
      await command(run)
    }
    await finish(run)
    return undefined
  } catch (error) {
    const rule = 'every request is answered as the contract says'
    return { story, violation: error instanceof Violation ? error : new Violation(rule, String(error)) }
  }
}
