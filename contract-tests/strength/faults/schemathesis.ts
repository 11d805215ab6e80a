import { beginPart, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { bareProfiles, contradictsItself, isUnprepared, moveClock } from '../../parts/schemathesis/part.ts'
import { operations } from '../../schemathesis-runner-wrapper/contract.ts'
import { runSchemathesis, type Profile, type Result } from '../../schemathesis-runner-wrapper/index.ts'
import { readContract } from '../../schemathesis-runner-wrapper/read-contract.ts'
import { profilesFor } from '../../parts/schemathesis/profiles.ts'
import type { Fault } from './fault.ts'
import { narrowed, quickToDraw } from './small-contract.ts'

const SIZE = { maxExamples: 5, statefulExamplesMax: 2 }
const PROVIDERS = 1
/** Generous: on a busy machine a slow reply must not be taken for a fault. */
const LIMITS = { timeoutMs: 240_000, requestTimeoutMs: 20_000 }

/** Few examples, only the operations that show the fault, one profile after the other, until one has a finding. */
export async function runSmall(target: Target, { seed, log }: RunOptions, fault: Fault): Promise<PartResult> {
  const { done, skipped } = beginPart('schemathesis', seed)
  let [cases, checks] = [0, 0]
  const stopClock = moveClock(target)
  try {
    const reasons: string[] = []
    const run = (profile: Profile, limit: { readonly failuresMax?: number }): Promise<Result> =>
      runSchemathesis({
        contract: target.contract,
        server: { baseUrl: target.url },
        keys: { publicKey: target.publicKey, secretKey: target.secretKey },
        profile,
        seed,
        ...SIZE,
        ...LIMITS,
        log,
        ...limit,
      })
    for (const { profile, bare } of await profilesOf(target, fault)) {
      let [used, ran] = [profile, await run(profile, { failuresMax: 1 })]
      // The whole part does the same, and says so.
      if (isUnprepared(ran)) {
        if (!bare) continue
        ;[used, ran] = [bare, await run(bare, { failuresMax: 1 })]
      }
      // A run that ended too early is no finding.
      if (ran.status === 'findings' && ran.failures.every(contradictsItself)) ran = await run(used, {})
      const real = ran.failures.filter((failure) => !contradictsItself(failure))
      cases += ran.cases
      checks += Object.values(ran.checks).reduce((sum, { passed, failed }) => sum + passed + failed, 0)
      if (real.length > 0)
        return done({
          cases,
          checks,
          findings: real.map(({ operation: about, check, message, curl }) => ({
            about,
            what: `${profile.name}, ${check}: ${message.replaceAll(/\s+/g, ' ')}`,
            curl,
          })),
        })
      if (ran.status !== 'passed' && ran.status !== 'findings')
        reasons.push(`${profile.name}: ${ran.status}, ${ran.reason}`)
    }
    const quiet = { cases, checks, findings: [] }
    return reasons.length > 0 ? skipped(reasons.join('; '), quiet) : done(quiet)
  } finally {
    await stopClock()
  }
}

interface Choice {
  readonly profile: Profile
  /** Runs instead, where the fault prevents the preparation. */
  readonly bare?: Profile
}

/** The most effective profile first; single keys only for faults of keys, and where there are two. */
async function profilesOf({ contract }: Target, { at, group }: Fault): Promise<readonly Choice[]> {
  const published = await readContract(contract)
  const all = operations(published).map(([, , { operationId, security }]) => ({
    id: String(operationId),
    keys: Object.keys(security?.[0] ?? {}).length,
  }))
  const wanted = all.filter(({ id }) => at?.some((each) => each === id) ?? true)
  const withBothKeys = wanted.filter(({ keys }) => keys > 1)
  // Narrowed after its own preparation, which needs the whole contract.
  const small = (profile: Profile, ids: readonly { readonly id: string }[]): Profile => ({
    ...profile,
    prepare: async (copy, running) =>
      quickToDraw(
        narrowed(
          (await profile.prepare?.(copy, running)) ?? copy,
          ids.map(({ id }) => id),
        ),
      ),
  })
  const narrowedTo = (profile: Profile, ids: readonly { readonly id: string }[]): Choice => {
    const bare = bareProfiles.find(({ name }) => name === profile.name)
    return { profile: small(profile, ids), ...(bare && { bare: small(bare, ids) }) }
  }
  const [canonical, fuzz, keys] = profilesFor(PROVIDERS)
  const plain = [canonical, fuzz].flatMap((profile) => (profile ? [narrowedTo(profile, wanted)] : []))
  if (group !== 'keys' || !keys || withBothKeys.length === 0) return plain
  const oneByOne = narrowedTo(keys, withBothKeys)
  return withBothKeys.length === wanted.length ? [oneByOne, ...plain] : [...plain, oneByOne]
}
