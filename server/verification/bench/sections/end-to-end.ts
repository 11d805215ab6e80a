import type pg from 'pg'
import { present } from '../../../domain/present.ts'
import { costFigures, formatProcessor, type Cost } from '../meter.ts'
import { measureChainedJobs } from '../peers/chained-jobs.ts'
import { measureRsaSigning } from '../peers/rsa.ts'
import { residentMb } from '../processes.ts'
import { wholeNumber, type Figure } from '../report.ts'
import { atLeast, atMost, atMostTimes, rate, type Measurement, type Section } from '../section.ts'
import { TODAY } from '../tree.ts'
import {
  offer,
  RAIL_DELAY_MS,
  stageFloor,
  stageGateway,
  WARM_UP_MS,
  type GatewayStage,
  type OfferedLoad,
} from '../whole-payments.ts'

const TARGETS = {
  firstAttemptMs: 50,
  floorAtPeak: 1.4,
  floorAtLight: 2.2,
  chainedJobs: 0.33,
  overloaded: 0.95,
  overloadedP99: 3,
}
/** Batches are small here: what a payment costs alone. */
const LIGHT_PER_SECOND = 250
const QUIET_PER_SECOND = 500
/** Each rung offers this much more than the one before. */
const RUNG = 1.2
const OVERLOADS = [1.5, 2] as const
const OVERLOAD_MS = 60_000
/** Offered to both trees of a comparison: batches of one payment, and full batches. */
const COMPARED_PER_SECOND = [LIGHT_PER_SECOND, 1_000] as const

/**
 * End-to-end payments: accepted, submitted to the rail, settled, booked, and the signed callback acknowledged with 200
 * by a merchant's server.
 */
export const endToEndSection: Section = {
  name: 'end-to-end',
  what: 'accepted → settled → ledger → signed callback answered 200, one API process, one worker and their PostgreSQL',
  async run(step) {
    const stage = await stageGateway(TODAY)
    step('RSA signing alone')
    const rsa = await measureRsaSigning(3)
    await offer(stage, QUIET_PER_SECOND, WARM_UP_MS)
    const rungs = await climb(stage, step)
    const peak = present(rungs.findLast(carried) ?? rungs.at(-1), 'a rung')
    const times = {
      quiet: await timesOf(stage.client, lastAt(rungs, QUIET_PER_SECOND)),
      peak: await timesOf(stage.client, peak),
    }
    const overloads: OfferedLoad[] = []
    for (const multiple of OVERLOADS) {
      step(`${multiple} × the peak for ${OVERLOAD_MS / 1000} s`)
      overloads.push(await offer(stage, Math.round(multiple * peak.finishedPerSecond), OVERLOAD_MS))
    }
    const workerMb = await residentMb(stage.worker.pid)
    await stage.stop()
    step('the floor')
    const floorStage = await stageFloor()
    await offer(floorStage, QUIET_PER_SECOND, WARM_UP_MS)
    const floor = {
      light: await offer(floorStage, LIGHT_PER_SECOND),
      peak: await offer(floorStage, peak.offeredPerSecond),
    }
    await floorStage.stop()
    step('three chained jobs of graphile-worker')
    const chained = await measureChainedJobs()
    return measurement({ rsa, rungs, peak, times, overloads, workerMb, floor, chained })
  },
  async costsOf(tree, step) {
    const stage = await stageGateway(tree)
    step(`${tree.name}: warm-up`)
    await offer(stage, QUIET_PER_SECOND, WARM_UP_MS)
    const costs = []
    for (const perSecond of COMPARED_PER_SECOND) {
      step(`${tree.name}: ${perSecond} per second`)
      const { cost, load, lost } = await offer(stage, perSecond)
      if (lost + load.failed > 0)
        throw new Error(`${tree.name}: ${lost} payments are lost, ${load.failed} replies fail: ${load.firstFailure}`)
      costs.push({ name: `whole payment, ${rate(perSecond)} offered`, cost })
    }
    await stage.stop()
    return costs
  },
}

/** The last rung with this load, or the highest where the ladder ends before it. */
const lastAt = (rungs: readonly OfferedLoad[], perSecond: number): OfferedLoad =>
  present(rungs.findLast((rung) => rung.offeredPerSecond === perSecond) ?? rungs.at(-1), 'a rung')

const carried = ({ overload }: OfferedLoad): boolean => overload === undefined

/**
 * Offers more and more, until the servers do not carry it: their backlog grows, or they take requests too late. That
 * counts only when it happens twice in a row, because a hiccup of the machine does not.
 */
async function climb(stage: GatewayStage, step: (text: string) => void): Promise<readonly OfferedLoad[]> {
  const rungs: OfferedLoad[] = []
  for (let perSecond = LIGHT_PER_SECOND; ; perSecond = nextRung(perSecond)) {
    for (const attempt of [1, 2]) {
      step(`${perSecond} per second${attempt === 1 ? '' : ', once more'}`)
      rungs.push(await offer(stage, perSecond))
      if (rungs.at(-1)?.overload === undefined) break
      if (attempt === 2) return rungs
    }
  }
}

const nextRung = (perSecond: number): number =>
  perSecond < QUIET_PER_SECOND ? QUIET_PER_SECOND : Math.round((perSecond * RUNG) / 10) * 10

interface PaymentTimes {
  readonly lifeP50Ms: number
  readonly lifeP99Ms: number
  readonly firstAttemptP50Ms: number
  readonly firstAttemptP99Ms: number
}

/** How long the payments of a run took. */
async function timesOf(client: pg.Client, { startedAt, load }: OfferedLoad): Promise<PaymentTimes> {
  const { rows } = await client.query<{ life: [number, number]; first: [number, number] }>(
    `
    with run as (select id, created_at, final_at from transactions where created_at >= $2 order by created_at limit $3)
    select
      percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from a.at - t.created_at) * 1000 + a.duration_ms - $1) as life,
      percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from a.at - t.final_at) * 1000) as first
    from run t join callbacks c on c.transaction_id = t.id join callback_attempts a on a.callback_id = c.id and a.attempt = 1`,
    [RAIL_DELAY_MS, startedAt, load.accepted],
  )
  const { life, first } = present(rows[0], 'the first attempts')
  return { lifeP50Ms: life[0], lifeP99Ms: life[1], firstAttemptP50Ms: first[0], firstAttemptP99Ms: first[1] }
}

interface Measurements {
  readonly rsa: Awaited<ReturnType<typeof measureRsaSigning>>
  readonly rungs: readonly OfferedLoad[]
  readonly peak: OfferedLoad
  readonly times: { readonly quiet: PaymentTimes; readonly peak: PaymentTimes }
  readonly overloads: readonly OfferedLoad[]
  readonly workerMb: number
  readonly floor: { readonly light: OfferedLoad; readonly peak: OfferedLoad }
  /** Absent: not installed. */
  readonly chained: Cost | undefined
}

function measurement(measured: Measurements): Measurement {
  const { rsa, rungs, peak, times, overloads, workerMb, floor, chained } = measured
  const light = lastAt(rungs, LIGHT_PER_SECOND)
  const wrong = [...rungs, ...overloads].reduce(
    (sum, each) => sum + each.load.failed + each.lost + each.wrongSignatures,
    0,
  )
  return {
    figures: [
      {
        name: 'whole payments, the peak',
        peer: `RSA-2048 alone ${rate(rsa.perSecond)}`,
        ratio: peak.finishedPerSecond / rsa.perSecond,
        value: rate(peak.finishedPerSecond),
      },
      ...besideFloor('a payment at the peak', TARGETS.floorAtPeak, peak.cost, floor.peak.cost),
      besideChained(peak.cost, chained),
      ...besideFloor(`a payment at ${rate(LIGHT_PER_SECOND)}`, TARGETS.floorAtLight, light.cost, floor.light.cost),
      {
        name: "a payment without the rail's second, median / 99th percentile",
        value: `${wholeNumber(times.peak.lifeP50Ms)} / ${wholeNumber(times.peak.lifeP99Ms)} ms`,
      },
      {
        name: `first callback attempt after final, at ${QUIET_PER_SECOND}/s, median`,
        ...atMost(TARGETS.firstAttemptMs, 'ms', times.quiet.firstAttemptP50Ms),
      },
      { name: '  99th percentile', value: `${wholeNumber(times.quiet.firstAttemptP99Ms)} ms` },
      ...rungs.map(rungFigure),
      ...overloads.flatMap((overload) => overloadFigures(overload, peak)),
      { name: 'memory after the load, the worker', value: `${wholeNumber(workerMb)} MB` },
      { name: 'lost payments, wrong signatures, unexpected replies', ...atMost(0, 'of them', wrong) },
    ],
    notes: [
      `The peak: what was finished at the highest rate at which the backlog of unfinished payments did not grow and requests were not late. A rate that fails is tried once more before it counts; the first that fails twice is the last. Generator, merchant's server and PostgreSQL share the processors.`,
      'The floor: Fastify, Ajv, one batched insert, one settling statement for each batch, one RSA signature, one POST by undici, in one process, at the same rates; no rule, no job, no ledger.',
      'Processor time, WAL, commits and statements are those of all payments that were accepted, until the last is finished.',
    ],
    raw: measured,
  }
}

function besideFloor(name: string, target: number, cost: Cost, floor: Cost): Figure[] {
  const [first, ...others] = costFigures(name, cost, { name: 'the floor', cost: floor })
  return first ? [{ ...first, ...atMostTimes(target, cost.totalUs / floor.totalUs) }, ...others] : others
}

const besideChained = (cost: Cost, chained: Cost | undefined): Figure => ({
  name: '  beside three chained jobs of graphile-worker that do nothing',
  value: formatProcessor(cost),
  ...(chained
    ? { peer: formatProcessor(chained), ...atMostTimes(TARGETS.chainedJobs, cost.totalUs / chained.totalUs) }
    : { peer: 'not installed: npm ci --include=peer' }),
})

const rungFigure = ({ offeredPerSecond, finishedPerSecond, cost, overload }: OfferedLoad): Figure => ({
  name: `  offered ${rate(offeredPerSecond)}`,
  value: `${rate(finishedPerSecond)}, ${formatProcessor(cost)}, ${cost.idleCores.toFixed(2)} cores idle${overload === undefined ? '' : `; ${overload}`}`,
})

function overloadFigures(
  { offeredPerSecond, finishedPerSecond, load, cost }: OfferedLoad,
  peak: OfferedLoad,
): Figure[] {
  return [
    {
      name: `finished when ${rate(offeredPerSecond)} are offered for ${OVERLOAD_MS / 1000} s`,
      value: `${rate(finishedPerSecond)}, ${formatProcessor(cost)}`,
      peer: `the peak ${rate(peak.finishedPerSecond)}`,
      ...atLeast(TARGETS.overloaded, finishedPerSecond / peak.finishedPerSecond),
    },
    {
      name: '  99th percentile of accepting',
      value: `${wholeNumber(load.p99Ms)} ms, ${wholeNumber(load.refused)} refused`,
      peer: `at the peak ${wholeNumber(peak.load.p99Ms)} ms`,
      ...atMostTimes(TARGETS.overloadedP99, load.p99Ms / peak.load.p99Ms),
    },
  ]
}
