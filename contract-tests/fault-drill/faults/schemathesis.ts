import type { PartResult, RunOptions, Target } from '../../part.ts'
import { contradictsItself, moveClock } from '../../schemathesis/part.ts'
import { operations, readContract } from '../../schemathesis-runner-wrapper/contract.ts'
import { runSchemathesis, type JsonObject, type Profile, type Result } from '../../schemathesis-runner-wrapper/index.ts'
import { profilesFor } from '../../schemathesis/profiles.ts'
import type { Fault } from './fault.ts'

const EXAMPLES = 5
const PROVIDERS = 1

/** A small run: few examples, one operation at which the fault shows after the other, and nothing more once something was found. */
export async function runSmall(target: Target, { seed, log }: RunOptions, fault: Fault): Promise<PartResult> {
  const startedAt = performance.now()
  const done = { cases: 0, checks: 0 }
  const result = (status: PartResult['status'], found: Pick<PartResult, 'findings' | 'reason'>): PartResult =>
    ({ part: 'schemathesis', status, ...done, seed, ...found, durationMs: Math.round(performance.now() - startedAt) })
  const stopClock = moveClock(target)
  try {
    const reasons: string[] = []
    for (const { profile, operation } of await runsFor(target, fault)) {
      const run = (limit: { readonly failuresMax?: number }): Promise<Result> => runSchemathesis({
        contract: target.contract, server: { baseUrl: target.url }, keys: { publicKey: target.publicKey, secretKey: target.secretKey },
        profile, seed, maxExamples: EXAMPLES, statefulExamplesMax: 2, timeoutMs: 120_000, requestTimeoutMs: 5_000, log, ...limit,
      })
      let ran = await run({ failuresMax: 1 })
      // What ended the run too early was no finding.
      if (ran.status === 'findings' && ran.failures.every(contradictsItself)) ran = await run({})
      const real = ran.failures.filter((failure) => !contradictsItself(failure))
      done.cases += ran.cases
      done.checks += Object.values(ran.checks).reduce((sum, { passed, failed }) => sum + passed + failed, 0)
      if (real.length > 0) return result('findings', { findings: real.map(({ operation: about, check, message, curl }) => ({ about, what: `${profile.name}, ${check}: ${message.replaceAll(/\s+/g, ' ')}`, curl })) })
      if (ran.status !== 'passed' && ran.status !== 'findings') reasons.push(`${profile.name} of ${operation}: ${ran.status}, ${ran.reason}`)
    }
    return reasons.length > 0 ? result('skipped', { findings: [], reason: reasons.join('; ') }) : result('passed', { findings: [] })
  } finally {
    await stopClock()
  }
}

async function runsFor({ contract }: Target, fault: Fault): Promise<readonly { readonly profile: Profile; readonly operation: string }[]> {
  const published = await readContract(contract)
  const bothKeys = new Set(operations(published).filter(([, , { security }]) => Object.keys(security[0]).length > 1).map(([, , { operationId }]) => operationId))
  const at: readonly string[] = fault.at ?? operations(published).map(([, , { operationId }]) => operationId)
  return profilesFor(PROVIDERS).flatMap((profile) => at.filter((operation) => profile.name !== 'keys' || bothKeys.has(operation)).map((operation) => ({
    operation,
    // Narrowed after its own preparation, which needs the whole contract.
    profile: { ...profile, prepare: async (copy, running) => narrowed((await profile.prepare?.(copy, running)) ?? copy, operation) } satisfies Profile,
  })))
}

/** The contract with the path of one operation; the whole path, because a method that a path does not have must be refused. */
function narrowed(contract: JsonObject, wanted: string): JsonObject {
  const kept = operations(contract).filter(([, , { operationId }]) => operationId === wanted).map(([path]) => path)
  // Links to operations that are left out would be none.
  const lost = operations(contract).filter(([path]) => !kept.includes(path)).map(([, , { operationId }]) => operationId)
  if (lost.length === 0) return contract
  for (const path of Object.keys(contract.paths)) if (!kept.includes(path)) delete contract.paths[path]
  const isLost = (link: JsonObject) => lost.includes((link.$ref ? contract.components.links[link.$ref.split('/').at(-1)] : link)?.operationId)
  const owners: JsonObject[] = [...Object.values<JsonObject>(contract.components.responses ?? {}), ...operations(contract).flatMap(([, , { responses }]) => Object.values<JsonObject>(responses))]
  for (const owner of owners) {
    if (!owner.links) continue
    owner.links = Object.fromEntries(Object.entries<JsonObject>(owner.links).filter(([, link]) => !isLost(link)))
    if (Object.keys(owner.links).length === 0) delete owner.links
  }
  return contract
}
