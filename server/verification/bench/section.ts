import { join } from 'node:path'
import pg from 'pg'
import { present } from '../../domain/present.ts'
import { superuserIn } from '../testing/database-url.ts'
import { postmasterIn } from '../testing/postmaster.ts'
import type { GatewayProcess } from './gateway-process.ts'
import type { Cost, Metered } from './meter.ts'
import { wholeNumber, type Explanation, type Figure } from './report.ts'
import type { Tree } from './tree.ts'

/** One part of the bench: its results, the notes a reader needs, and why a target was missed. */
export interface Measurement {
  readonly figures: readonly Figure[]
  readonly notes: readonly string[]
  readonly explanations?: readonly Explanation[]
  /** Settings of the measured PostgreSQL. */
  readonly postgres?: Readonly<Record<string, string>>
  /** Every single figure, so that others can judge the spread. */
  readonly raw: unknown
}

export interface Section {
  readonly name: string
  readonly what: string
  run(step: (text: string) => void): Promise<Measurement>
  /** What the gateway of a tree spends, for `--against`. Absent: the section does not compare trees. */
  costsOf?(tree: Tree, step: (text: string) => void): Promise<readonly NamedCost[]>
}

export interface NamedCost {
  readonly name: string
  readonly cost: Cost
  /** Of the gateway's process, after the load. */
  readonly residentMb?: number
}

/** A rate per second, formatted for people. */
export const rate = (value: number): string => `${wholeNumber(value)}/s`
/** A figure given as a ratio to its peer, and its target. */
export const atLeast = (target: number, ratio: number) => ({ ratio, target: `≥ ${target} ×`, reached: ratio >= target })
export const atMostTimes = (target: number, ratio: number) => ({
  ratio,
  target: `≤ ${target} ×`,
  reached: ratio <= target,
})
/** A figure that must not exceed its target. */
export const atMost = (target: number, unit: string, value: number) => ({
  value: `${wholeNumber(value)} ${unit}`,
  target: `≤ ${wholeNumber(target)} ${unit}`,
  reached: value <= target,
})

export interface DatabaseAccess {
  readonly client: pg.Client
  readonly superuser: pg.Client
  /** These processes and the PostgreSQL they use. */
  metered(processes: Readonly<Record<string, number>>): Metered
  close(): Promise<void>
}

/** The database of a running gateway, as the owner of its tables and as the superuser. */
export async function connectTo({
  dataDir,
  connection,
}: Pick<GatewayProcess, 'dataDir' | 'connection'>): Promise<DatabaseAccess> {
  const [client, superuser] = [connection, { ...connection, ...(await superuserIn(dataDir)) }].map(
    (config) => new pg.Client(config),
  ) as [pg.Client, pg.Client]
  for (const each of [client, superuser]) {
    // When the bench is interrupted, it takes PostgreSQL down: nothing to report.
    each.on('error', () => {})
    await each.connect()
  }
  const postmaster = present(await postmasterIn(join(dataDir, 'postgres')), 'the process of PostgreSQL')
  return {
    client,
    superuser,
    metered: (processes) => ({ processes, postgres: { postmaster, client: superuser } }),
    close: async () => {
      await client.end()
      await superuser.end()
    },
  }
}
