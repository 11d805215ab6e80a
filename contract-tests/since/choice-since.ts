import type { Contract } from '../../openapi/reading/contract.ts'
import { limitedTo, openContract } from '../foreign/contract-file.ts'
import { createCoverage } from '../harness/coverage/recorder.ts'
import { CONTRACT, runSettings, type RunSettings, type SuiteSettings } from '../settings.ts'
import { suiteResult, type SuiteResult } from '../suite-result.ts'
import { chosenOperations, type OperationChoice } from './chosen-operations.ts'
import { contractAt } from './contract-at.ts'

/** A choice, from the contract that is tested. */
interface ChoiceSince extends OperationChoice {
  readonly contract: Contract
}

/**
 * What `--since` chooses; undefined without it.
 * @param opened the contract of `--contract`; absent: our own
 * @throws UsageError for wrong options, and when git or the contract of that commit cannot be read
 */
export async function choiceSince(given: SuiteSettings, opened?: Contract): Promise<ChoiceSince | undefined> {
  const { since, paths } = given
  if (since === undefined) return undefined
  // Reports wrong options before anything is read.
  runSettings(given)
  // Read as that of the commit is.
  const whole = opened ?? (await openContract(CONTRACT)).contract
  const contract = paths === undefined ? whole : limitedTo(whole, paths)
  return { ...chosenOperations(since, await contractAt(given.contract ?? CONTRACT, since), contract), contract }
}

/** The result of a run for which nothing is left to test. */
export const nothingTested = ({ seed, size }: RunSettings, { contract }: ChoiceSince): SuiteResult =>
  suiteResult(performance.now(), {
    seed,
    size,
    results: [],
    coverage: createCoverage(contract).coverage({ failure: false, receiver: false, operations: [] }),
  })
