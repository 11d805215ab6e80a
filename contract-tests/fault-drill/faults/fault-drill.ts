import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DrillPart } from './drill-parts.ts'
import type { Fault, OperationId } from './fault.ts'
import { hold, type Outcome, type RunSettings } from './run.ts'
import type { Drill } from './table.ts'

export interface DrillOptions {
  readonly databases: RunSettings['databases']
  readonly parts: readonly DrillPart[]
  readonly faults: readonly Fault[]
  readonly seed: number
  /** Runs at a time. */
  readonly jobs: number
  /** Ask every part about every fault that it can see. Otherwise: Schemathesis, and then the others until one finds it. */
  readonly full: boolean
  readonly log: (line: string) => void
}

/** The control: an untouched gateway, asked where the faults of this drill show. */
const noFault = (at: readonly OperationId[]): Fault => ({ name: 'none', group: 'replies', what: 'is right', at, plant: () => ({}) })

/** A part finds something in a gateway without any fault. */
export class ControlFailed extends Error {
  override readonly name = 'ControlFailed'
}

/** Plants the faults one at a time. @throws ControlFailed */
export async function drillFaults(options: DrillOptions): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-faults-'))
  try {
    const contract = join(folder, 'openapi.json')
    await copyFile(new URL('../../../generated/openapi.json', import.meta.url), contract)
    return await drillAll(options, contract)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function drillAll({ databases, parts, faults, seed, jobs, full, log }: DrillOptions, contract: string): Promise<Drill> {
  const outcomes: Outcome[] = []
  async function ask(part: DrillPart, fault: Fault): Promise<Outcome> {
    const outcome = await hold(part, fault, { databases, seed, contract })
    outcomes.push(outcome)
    log(`${outcome.fault} × ${part.name}: ${outcome.verdict} in ${(outcome.durationMs / 1000).toFixed(1)} s${outcome.said === undefined ? '' : `: ${outcome.said.slice(0, 200)}`}`)
    return outcome
  }

  const operations = [...new Set(faults.flatMap(({ at = [] }) => at))]
  const needed = parts.filter((part) => faults.some((fault) => part.reaches(fault)))
  await atOnce(jobs, needed, async (part) => {
    const { verdict, said } = await ask(part, noFault(operations))
    if (verdict !== 'survived') throw new ControlFailed(`${part.name} does not pass without any fault: ${said}`)
  })
  await atOnce(jobs, faults, async (fault) => {
    // Schemathesis is asked about all of them: how much it finds alone is a figure of its own.
    for (const [index, part] of needed.filter((candidate) => candidate.reaches(fault)).entries()) {
      const isFound = outcomes.some((outcome) => outcome.fault === fault.name && outcome.verdict === 'killed')
      if (index === 0 || full || !isFound) await ask(part, fault)
    }
  })
  return { seed, parts: needed.map(({ name }) => name), faults, outcomes }
}

async function atOnce<Item>(jobs: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const ended = await Promise.allSettled(Array.from({ length: jobs }, async () => { for (const item of waiting) await work(item) }))
  // Not before all have ended: they need the databases, which are closed after this.
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}
