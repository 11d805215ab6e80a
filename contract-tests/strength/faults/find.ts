import pg from 'pg'
import type { Finding } from '../../harness/part.ts'
import { resultOf } from '../../../server/verification/planted-faults/run-planted.ts'
import { dropDatabase } from '../../../server/verification/testing/database.ts'
import type { ScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import type { SourceFault } from '../../../server/verification/planted-faults/planted-fault.ts'
import type { Connection, RunOrder, RunReport } from './run-part.ts'

interface SuiteSettings {
  readonly databases: ScratchDatabases
  readonly seed: number
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

/** After those that a fault names, the quick ones first. */
const OTHERS = [
  'outgoing',
  'inputs',
  'apart',
  'additions',
  'declared',
  'options',
  'receiver',
  'limits',
  'workflows',
  'model',
  'schemathesis',
  'arranged',
]
/** Several times what the longest takes alone: the machine may be busy. */
const RUN_MS_MAX = 900_000
const TRIES_MAX = 3
const RUN_PART = new URL('run-part.ts', import.meta.url)

/** The contract suite against gateways with planted faults. */
export class FaultedSuite {
  readonly #settings: SuiteSettings
  readonly #controls = new Map<string, Promise<void>>()

  constructor(settings: SuiteSettings) {
    this.#settings = settings
  }

  /** One part after the other, until one finds it. @returns undefined when none does */
  async find(fault: SourceFault): Promise<{ readonly by: string; readonly says: string } | undefined> {
    for (const by of new Set([...fault.foundBy, ...OTHERS])) {
      await this.#control(by)
      const [first] = await this.#findings(by, fault)
      if (first) return { by, says: `${first.about}: ${first.what}` }
    }
    return undefined
  }

  /** Once per part: a finding about a gateway without faults says nothing about one with a fault. */
  #control(part: string): Promise<void> {
    const running =
      this.#controls.get(part) ??
      this.#run(part).then(([wrong]) => {
        if (wrong) throw new Error(`${part} does not pass without a fault: ${wrong.about}: ${wrong.what}`)
      })
    this.#controls.set(part, running)
    return running
  }

  /** None without a verdict. */
  async #findings(part: string, fault: SourceFault): Promise<readonly Finding[]> {
    const { signal, log } = this.#settings
    return this.#run(part, fault).catch((error: unknown) => {
      signal.throwIfAborted()
      log(`no verdict on ${fault.name}: ${error instanceof Error ? error.message : String(error)}`)
      return []
    })
  }

  /** @throws Error without a verdict: on a busy machine a gateway may not start, or not answer in time */
  async #run(part: string, fault?: SourceFault): Promise<readonly Finding[]> {
    for (let tries = 1; ; tries += 1)
      try {
        return await this.#runOnce(part, fault)
      } catch (error) {
        if (this.#settings.signal.aborted || tries === TRIES_MAX) throw error
      }
  }

  async #runOnce(part: string, fault: SourceFault | undefined): Promise<readonly Finding[]> {
    const { databases, seed, signal } = this.#settings
    const connection = await databases.create()
    const spare = part === 'arranged' ? await databases.create() : undefined
    const order: RunOrder = { part, connection, seed, ...(spare && { spare }) }
    try {
      const settings = { timeoutMs: RUN_MS_MAX, signal }
      const report = (await resultOf(
        fault?.plant.edits ?? [],
        RUN_PART,
        [JSON.stringify(order)],
        settings,
      )) as RunReport
      if (report.trouble !== undefined) throw new Error(`${part}: ${report.trouble}`)
      return report.findings
    } finally {
      await drop(connection)
      if (spare) await drop(spare)
    }
  }
}

/** Hundreds of runs would fill the disk. */
async function drop(connection: Connection): Promise<void> {
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await admin.connect()
  try {
    await dropDatabase(admin, connection.database)
  } finally {
    await admin.end()
  }
}
