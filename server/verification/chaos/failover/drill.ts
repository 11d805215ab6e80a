import { OPERATORS_BOOK } from '../../testing/operators-book.ts'
import { doctorFaults, grouped, judge } from '../judge.ts'
import { patiently, pause, until } from '../patience.ts'
import { seeded, type Random } from '../seeded.ts'
import { settleAll } from '../settle.ts'
import { tally, type StoredTransaction } from '../tally.ts'
import type { Roles } from './cluster.ts'
import type { FailoverFault } from './faults.ts'
import { asArguments, type FailoverOptions } from './options.ts'
import { drawFaults } from './plan.ts'
import type { FailoverReport, FaultResult } from './report.ts'
import { setUp, type Setting } from './setting.ts'
import { longestSilenceMs } from './silence.ts'

/** Receives progress messages. */
interface Listener {
  progress(line: string): void
  fault(result: FaultResult, n: number): void
}

/** If there is no 202 for longer than this, a fault has done too much. */
const SILENCE_MS_MAX = 30_000
const WHOLE_MS_MAX = 150_000
/** Payments run for this long before the first fault and between faults. */
const CALM_MS = 3_000
/** Time for what was in flight when the last standby died. */
const ON_ITS_WAY_MS = 1_000

/**
 * Runs load and one fault after the other, on machines of its own; then waits until everything is finished and judges
 * it.
 */
export async function failoverDrill(
  folder: string,
  options: FailoverOptions,
  listener: Listener,
): Promise<FailoverReport> {
  const startedAt = performance.now()
  const setting = await setUp(folder, options.hosts, (line) => listener.progress(line))
  const faults: FaultResult[] = []
  const findings: string[] = []
  const end = new AbortController()
  const sending = setting.load.sendUntil(end.signal, options.rate)
  try {
    for (const [n, kind] of drawFaults(options.kinds, options.faults, options.seed).entries()) {
      await pause(CALM_MS)
      const result = await plantOne(setting, kind, seeded(options.seed, `fault ${n + 1}`))
      faults.push(result)
      findings.push(...result.findings.map((finding) => `fault ${n + 1}, ${kind.name}: ${finding}`))
      listener.fault(result, n + 1)
    }
  } finally {
    end.abort()
    await sending
  }
  listener.progress('no more faults: now everything has to come to its end')
  await settleAll(setting, findings)
  findings.push(...(await judge(setting)))
  await setting.end()
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  const acknowledged = setting.load.acknowledged.size
  return { arguments: asArguments(options).join(' '), faults, acknowledged, findings, seconds }
}

async function plantOne(setting: Setting, kind: FailoverFault, random: Random): Promise<FaultResult> {
  const { accepted, cluster } = setting
  const before = setting.load.acknowledged.size
  const findings: string[] = []
  const plantedAt = performance.now()
  const { what, holdMs, heal } = await kind.plant(await whole(cluster), random)
  await pause(holdMs)
  const healedAt = performance.now()
  await heal()
  const wholeAt = await restored(setting, findings)
  const { lost, doubled, doctor, wrong } = await poll(setting)
  const from = kind.heals === 'by itself' ? plantedAt : healedAt
  // Measured up to here: a leader may be unseated after all members are back.
  const silentMs = longestSilenceMs(accepted, from, performance.now())
  if (silentMs > SILENCE_MS_MAX) findings.push(`nothing accepted for ${(silentMs / 1_000).toFixed(1)} s`)
  const unsafe = accepted.filter((at) => at > plantedAt + ON_ITS_WAY_MS && at < healedAt).length
  if (kind.acceptsNothing && unsafe > 0) findings.push(`${unsafe} accepted without a standby that has them`)
  return {
    kind: kind.name,
    what,
    heldSeconds: (healedAt - plantedAt) / 1_000,
    silentSeconds: silentMs / 1_000,
    countedFrom: kind.heals === 'by itself' ? 'fault' : 'all back',
    wholeSeconds: (wholeAt - healedAt) / 1_000,
    acknowledged: setting.load.acknowledged.size - before,
    lost,
    doubled,
    doctor,
    findings: [...findings, ...wrong],
  }
}

/**
 * Waits until the cluster is healthy and a payment has been accepted.
 * @returns the time of that
 */
async function restored({ cluster, accepted }: Setting, findings: string[]): Promise<number> {
  try {
    await whole(cluster)
    const isWholeAt = performance.now()
    await until(async () => (accepted.at(-1) ?? 0) > isWholeAt, WHOLE_MS_MAX, 'a payment is accepted')
  } catch (error) {
    findings.push((error as Error).message)
  }
  return performance.now()
}

async function whole({ roles }: Setting['cluster']): Promise<Roles> {
  let found: Roles | undefined
  const isWhole = async () => (found = await roles()) !== undefined
  await until(isWhole, WHOLE_MS_MAX, 'a leader with two standbys')
  if (!found) throw new Error('a cluster without a leader')
  return found
}

interface DrillReport {
  readonly lost: number
  readonly doubled: number
  readonly doctor: FaultResult['doctor']
  /** In words. */
  readonly wrong: readonly string[]
}

/** While payments continue: what must never be wrong. */
async function poll({ load, merchant, pool, staff }: Setting): Promise<DrillReport> {
  // Read the merchant's side first, then the database.
  const acknowledged = [...load.acknowledged]
  const reported = [...merchant.received]
  const { rows: stored } = await patiently(() =>
    pool.query<StoredTransaction>('select merchant_reference, status from transactions'),
  )
  const { rows: movedTwice } = await patiently(() =>
    pool.query<{ reference: string }>(`select reference from ${OPERATORS_BOOK} o where transfers > 1`),
  )
  const { lost, doubled, forgotten } = tally({ acknowledged, received: reported, stored })
  const doctor = await doctorFaults(staff)
  return {
    lost: lost.length,
    doubled: doubled.length + movedTwice.length,
    doctor: doctor.length === 0 ? 'clean' : 'not clean',
    wrong: [
      ...grouped('lost: acknowledged, and not in the database', lost),
      ...grouped('doubled: acknowledged once, in the database more often', doubled),
      ...grouped(
        'moved by the rail more than once',
        movedTwice.map(({ reference }) => reference),
      ),
      ...grouped('reported to the merchant, and open in the database', forgotten),
      ...doctor,
    ],
  }
}
