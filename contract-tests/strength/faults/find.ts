import { createHash } from 'node:crypto'
import { byCause } from '../../harness/causes.ts'
import type { Finding } from '../../harness/part.ts'
import { resultOf } from '../../../server/verification/planted-faults/run-planted.ts'
import type { ScratchDatabases } from '../../../server/verification/testing/scratch-databases.ts'
import type { SourceFault } from '../../../server/verification/planted-faults/planted-fault.ts'
import type { ContractFault } from './fault.ts'
import type { RunOrder, RunReport } from './run-part.ts'
import { drop } from './site.ts'

interface SuiteSettings {
  readonly databases: ScratchDatabases
  readonly seed: number
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

/** A fault of the catalogue, or one outside it. */
type SuiteFault = ContractFault | SourceFault

/** After those that a fault names, the quick ones first. */
const OTHERS = [
  'outgoing',
  'inputs',
  'apart',
  'declared',
  'options',
  'receiver',
  'limits',
  'workflows',
  'model',
  'mock parity',
  'schemathesis',
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
  async find(fault: SuiteFault): Promise<{ readonly by: string; readonly says: string } | undefined> {
    // Nothing but bare sockets reaches faults in bytes, and these reach no others.
    for (const by of new Set([...fault.foundBy, ...(fault.kind === 'bytes' ? [] : OTHERS)])) {
      await this.#control(by)
      const [first] = await this.#findings(by, [fault])
      if (first) return { by, says: `${first.about}: ${first.what}` }
    }
    return undefined
  }

  /**
   * All of the faults in one gateway, against every part. Some hide others, because an earlier check refuses first; but
   * many faults must lead to nearly as many findings.
   */
  async findAtOnce(faults: readonly ContractFault[]): Promise<readonly Finding[]> {
    const found: Finding[] = []
    for (const part of [...OTHERS, 'wire']) found.push(...(await this.#findings(part, faults)))
    return byCause(found)
  }

  /** Once per part: a finding about a gateway without faults says nothing about one with a fault. */
  #control(part: string): Promise<void> {
    const running =
      this.#controls.get(part) ??
      this.#run(part, []).then(([wrong]) => {
        if (wrong) throw new Error(`${part} does not pass without a fault: ${wrong.about}: ${wrong.what}`)
      })
    this.#controls.set(part, running)
    return running
  }

  /** None without a verdict. */
  async #findings(part: string, faults: readonly SuiteFault[]): Promise<readonly Finding[]> {
    const { signal, log } = this.#settings
    return this.#run(part, faults).catch((error: unknown) => {
      signal.throwIfAborted()
      log(
        `no verdict on ${faults.map(({ name }) => name).join()}: ${error instanceof Error ? error.message : String(error)}`,
      )
      return []
    })
  }

  /** @throws Error without a verdict: on a busy machine a gateway may not start, or not answer in time */
  async #run(part: string, faults: readonly SuiteFault[]): Promise<readonly Finding[]> {
    for (let tries = 1; ; tries += 1)
      try {
        return await this.#runOnce(part, faults)
      } catch (error) {
        if (this.#settings.signal.aborted || tries === TRIES_MAX) throw error
      }
  }

  async #runOnce(part: string, faults: readonly SuiteFault[]): Promise<readonly Finding[]> {
    const { databases, seed, signal } = this.#settings
    const edits = faults.flatMap(({ plant }) => (plant.in === 'source' ? plant.edits : []))
    const inTraffic = faults.filter(({ plant }) => plant.in === 'traffic').map(({ name }) => name)
    const connection = await databases.create()
    const order: RunOrder = { part, faults: inTraffic, connection, seed }
    try {
      const settings = { timeoutMs: RUN_MS_MAX, signal }
      const report = (await resultOf(edits, RUN_PART, [JSON.stringify(order)], settings)) as RunReport
      if (report.trouble !== undefined) throw new Error(`${part}: ${report.trouble}`)
      return report.findings
    } finally {
      await drop(connection)
    }
  }
}

/** Faults in traffic, at most so many, from all kinds in turn; the same ones for the same seed. */
export function spread(faults: readonly ContractFault[], seed: number, count: number): readonly ContractFault[] {
  const rank = ({ name }: ContractFault): string => createHash('sha256').update(`${seed} ${name}`).digest('hex')
  const inTraffic = faults.filter(({ plant }) => plant.in === 'traffic')
  const kinds = [...Map.groupBy(inTraffic, ({ kind }) => kind).values()].map((each) =>
    each.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)),
  )
  return Array.from({ length: count }, (_, turn) => kinds.flatMap((each) => each[turn] ?? []))
    .flat()
    .slice(0, count)
}
