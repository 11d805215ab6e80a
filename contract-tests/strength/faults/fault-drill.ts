import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DrillPart } from './drill-parts.ts'
import type { Fault } from './fault.ts'
import { createFingerprint, type Fingerprint } from './kept-outcomes.ts'
import { createKnownOutcomes } from './known-outcomes.ts'
import { inOrder } from './part-order.ts'
import { hold, DrillStopped, type RunPart, type Outcome, type RunSettings } from './run.ts'
import type { Drill } from './table.ts'
import { WATCH } from '../../harness/watch/watch.ts'

export interface DrillOptions {
  readonly databases: RunSettings['databases']
  readonly parts: readonly DrillPart[]
  readonly faults: readonly Fault[]
  readonly seed: number
  /** Concurrent runs. */
  readonly jobs: number
  /** Runs every part against every fault that it can see. Otherwise: one part after the other until one finds it. */
  readonly full: boolean
  readonly log: (line: string) => void
  /** Runs a part against a fault; absent: in this process. */
  readonly hold?: RunPart
  /** Outcomes of an earlier drill, which need no new run. */
  readonly kept?: (fingerprint: Fingerprint) => readonly Outcome[]
  /** Called with all outcomes so far, after each one. */
  readonly onOutcome?: (drill: Drill) => void
  /** Ends the drill: running parts are closed, no new one starts. */
  readonly signal?: AbortSignal
}

const TRIES_MAX = 3

/** The control: an unmodified gateway, with the operations of all faults of this drill. */
const noFault = (faults: readonly Fault[]): Fault => ({
  name: 'none',
  group: 'keys',
  what: 'is right',
  at: [...new Set(faults.flatMap(({ at = [] }) => at))],
  plant: () => ({}),
})

/** A part has a finding about a gateway without any fault. */
export class ControlFailed extends Error {
  override readonly name = 'ControlFailed'
}

/** Plants the faults one at a time. @throws ControlFailed @throws Stopped by the signal */
export const drillFaults = (options: DrillOptions): Promise<Drill> =>
  withContract((contract) => drillAll(options, contract))

/** @param use gets the path of a copy that nobody changes meanwhile: findings must be the faults' doing */
export async function withContract<Value>(use: (contract: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-faults-'))
  try {
    const contract = join(folder, 'openapi.json')
    await copyFile(new URL('../../../generated/openapi.json', import.meta.url), contract)
    return await use(contract)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function drillAll(
  { databases, parts, faults, seed, jobs, full, log, hold: holds = hold, kept, onOutcome, signal }: DrillOptions,
  contract: string,
): Promise<Drill> {
  const fingerprint = createFingerprint({ contract, seed })
  const outcomes: Outcome[] = [...(kept?.(fingerprint) ?? [])]
  const needed = parts.filter((part) => faults.some((fault) => part.reaches(fault)))
  const sees = ({ name, reaches }: DrillPart) => ({ name, sees: faults.filter(reaches).map((fault) => fault.name) })
  const everywhere = { name: WATCH, sees: [...new Set(needed.flatMap((part) => sees(part).sees))] }
  const drill: Drill = { seed, parts: [...needed.map(sees), everywhere], faults, outcomes }
  if (outcomes.length > 0) log(`${outcomes.length} outcomes of an earlier drill still hold`)

  const known = createKnownOutcomes(outcomes)
  async function request(part: DrillPart, fault: Fault): Promise<readonly Outcome[]> {
    const held = await holds(part, fault, { databases, seed, contract, ...(signal && { signal }) })
    const made = held.map((each) => ({ ...each, made: fingerprint(each.part, fault, each.through) }))
    known.learn(part, fault, made)
    log(made.map(lineOf).join('; '))
    onOutcome?.(drill)
    return made
  }

  // Once per drill and part. The first user of a part waits for its control; the others go on meanwhile, and end when
  // it fails.
  const controls = new Map<string, Promise<void>>()
  async function control(part: DrillPart): Promise<void> {
    if (controls.has(part.name)) return
    const requested = insist(part, noFault(faults.filter((fault) => part.reaches(fault)))).then((said) => {
      const wrong = said.find(({ verdict }) => verdict !== 'survived')
      if (wrong) throw new ControlFailed(`${part.name} does not pass without any fault: ${wrong.said}`)
    })
    controls.set(part.name, requested)
    await requested
  }
  /** On a busy machine a gateway may not start, or not answer in time. */
  async function insist(part: DrillPart, fault: Fault): Promise<readonly Outcome[]> {
    for (let tries = 1; ; tries += 1) {
      const requested = await request(part, fault)
      if (requested.some(({ verdict }) => verdict !== 'no verdict') || tries === TRIES_MAX) return requested
    }
  }
  await atOnce(
    jobs,
    faults,
    async (fault) => {
      // Schemathesis runs against everything that it can see: how much it finds alone is a figure of its own.
      for (const part of inOrder(needed, fault)) {
        if (known.isKnown(part, fault) || (known.isFound(fault) && !full && !part.runsAlways)) continue
        await control(part)
        await insist(part, fault)
      }
    },
    signal,
  )
  return drill
}

function lineOf({ fault, part, through, verdict, durationMs, said }: Outcome): string {
  const time = `in ${(durationMs / 1000).toFixed(1)} s`
  const line = through === undefined ? `${fault} × ${part}: ${verdict} ${time}` : `${part}: ${verdict}`
  return said === undefined ? line : `${line}: ${said.slice(0, 200)}`
}

async function atOnce<Item>(
  jobs: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const waiting = items.values()
  let isOver = false
  const ended = await Promise.allSettled(
    Array.from({ length: jobs }, async () => {
      for (const item of waiting) {
        if (signal?.aborted) throw new DrillStopped('stopped')
        // One error ends all: further runs are pointless.
        if (isOver) return
        await work(item).catch((error: unknown) => {
          isOver = true
          throw error
        })
      }
    }),
  )
  // Not before all have ended: they need the databases, which are closed after this.
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}
