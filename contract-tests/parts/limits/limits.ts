import { beginPart, type Part, type PartResult, type RunOptions, type Target } from '../../harness/part.ts'
import { accountBounds } from './account-bounds.ts'
import { bodySize } from './body-size.ts'
import { dailyLimits } from './daily-limits.ts'
import { idempotencyKeys } from './idempotency.ts'
import { payments } from './lifetimes.ts'
import { startReceiver } from '../../driver/merchant-server.ts'
import { passwords } from './passwords.ts'
import { misses, RATES, useUpRates } from './rate-limits.ts'
import { releases } from './releases.ts'
import { createFixture, type DriverFixture } from '../../driver/fixture.ts'

/** The decided bounds for our own gateway: it usually starts with larger ones, as a sandbox does. */
const DECIDED = {
  MALIPO_OTP_SENDS_MAX: '',
  MALIPO_OTP_WRONG_TRIES_MAX: '',
  MALIPO_PROMPTS_PER_HOUR: '20',
  MALIPO_PROMPTS_PER_DAY: '60',
  MALIPO_PROMPT_DECLINES_MAX: '6',
}

/** Sections that run on their own. */
const AT_ONCE = { bodySize, dailyLimits, releases, idempotencyKeys } as const
/** Sections that need no secret key: they run while the secret key's rate limit is used up. */
const WITH_BOUNDS = { passwords, lives: payments, accountBounds } as const
const WITH_RESTART = ['rateLimits', ...Object.keys(WITH_BOUNDS)]
export type Section = keyof typeof AT_ONCE | keyof typeof WITH_BOUNDS | 'rateLimits'

export const limitsPart: Part = {
  name: 'limits',
  what: 'every limit and time from both sides: to the unit, to the second, to the last try',
  runsBeside: true,
  run: (target, options) => runLimits(target, options),
}

/** @param sections by name; absent: all */
export async function runLimits(
  target: Target,
  { seed, size, log }: RunOptions,
  sections: readonly string[] = [...Object.keys(AT_ONCE), ...WITH_RESTART],
): Promise<PartResult> {
  const { done, skipped } = beginPart('limits', seed)
  if (!target.sandbox) return skipped("the limits are reached with the sandbox's providers and test numbers")
  const merchant = target.receiver && (await startReceiver({ port: target.receiver.port, own: target.own }))
  const fixture = createFixture(target, { seed, size }, { merchant })
  const { findings } = fixture
  const repetitions = new Map<string, () => Promise<ReadonlySet<string>>>()
  const timed: RunSection = async (name, section) => {
    if (!sections.includes(name)) return
    const startedAt = performance.now()
    await section(fixture)
    const again = repeated(target, { seed, size }, section)
    for (const { key } of findings.list()) if (!target.own && !repetitions.has(key)) repetitions.set(key, again)
    log(`limits: ${name} in ${Math.round(performance.now() - startedAt)} ms`)
  }
  try {
    for (const [name, section] of Object.entries(AT_ONCE)) await timed(name, section)
    if (WITH_RESTART.some((name) => sections.includes(name))) await bounded(fixture, timed)
  } finally {
    await merchant?.close()
  }
  return done({
    ...fixture.outcome(),
    findings: findings.list().map(({ key, finding }) => {
      const again = repetitions.get(key)
      return { ...finding, ...(again && { recurs: async () => (await again()).has(key) }) }
    }),
  })
}

type RunSection = (name: string, section: (fixture: DriverFixture) => Promise<void>) => Promise<void>

/** Others may have used an account number of a running server: a section is repeated once, with new numbers. */
function repeated(
  target: Target,
  options: Pick<RunOptions, 'seed' | 'size'>,
  section: (fixture: DriverFixture) => Promise<void>,
): () => Promise<ReadonlySet<string>> {
  let keys: Promise<ReadonlySet<string>> | undefined
  const play = async (): Promise<ReadonlySet<string>> => {
    const fixture = createFixture(target, options, { round: 1 })
    await section(fixture)
    return new Set(fixture.findings.list().map(({ key }) => key))
  }
  return () => (keys ??= play())
}

/** Sections for which our own gateway restarts: with decided bounds and with a low rate limit. */
async function bounded(fixture: DriverFixture, timed: RunSection): Promise<void> {
  const { own } = fixture.target
  if (!own) fixture.skip('rate limits')
  await own?.restart({ ...DECIDED, ...RATES })
  let untilBack = (): Promise<void> => Promise.resolve()
  if (own)
    await timed('rateLimits', async () => {
      untilBack = await useUpRates(fixture)
    })
  for (const [name, section] of Object.entries(WITH_BOUNDS)) await timed(name, section)
  await untilBack()
  await timed('rateLimits', misses)
  await own?.restart()
}
