import pg from 'pg'
import { openDatabase } from '../../local/embedded-postgres/database.ts'
import { superuserIn } from '../testing/database-url.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { wholeNumber, type Explanation, type Figure } from './report.ts'

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
}

/** A rate per second, formatted for people. */
export const rate = (value: number): string => `${wholeNumber(value)}/s`
/** A figure given as a ratio to its peer, and its target. */
export const atLeast = (target: number, ratio: number) => ({ ratio, target: `≥ ${target} ×`, reached: ratio >= target })
/** A figure given as a rate, and its target. */
export const atLeastRate = (target: number, value: number) => ({
  value: rate(value),
  target: `≥ ${rate(target)}`,
  reached: value >= target,
})
/** A figure that must not exceed its target. */
export const atMost = (target: number, unit: string, value: number) => ({
  value: `${wholeNumber(value)} ${unit}`,
  target: `≤ ${wholeNumber(target)} ${unit}`,
  reached: value <= target,
})

export interface DatabaseAccess {
  readonly client: pg.Client
  readonly connection: pg.PoolConfig
  close(): Promise<void>
}

/** The database of a running gateway, as its command line reaches it. */
export async function connectTo({ dataDir }: GatewayProcess): Promise<DatabaseAccess> {
  const database = await openDatabase({
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    dataDir,
    role: 'guest',
  })
  const connection = database.owner ?? database.connection
  const client = new pg.Client(connection)
  // When the bench is interrupted, the gateway takes its PostgreSQL down with it: nothing to report.
  client.on('error', () => {})
  await client.connect()
  return {
    client,
    connection,
    close: async () => {
      await client.end()
      await database.stop()
    },
  }
}

/** Checkpoint: earlier writes must not still be flushed to disk during a measurement. Needs a superuser. */
export async function checkpoint({ dataDir }: GatewayProcess, connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, ...(await superuserIn(dataDir)) })
  await client.connect()
  await client.query('checkpoint')
  await client.end()
}
