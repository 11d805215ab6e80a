import type { PartResult, RunOptions, Target } from '../../harness/part.ts'
import { PARTS } from '../../suite.ts'
import { allCases } from '../../parts/wire/cases/all.ts'
import { runWire } from '../../parts/wire/wire.ts'
import type { Fault, Group } from './fault.ts'
import { runSmall } from './schemathesis.ts'

/** A part of the contract tests, configured for the drill. */
export interface DrillPart {
  readonly name: string
  /** Whether it has a merchant's server of its own; otherwise the gateway's inbox answers. */
  readonly receives: boolean
  /** Whether it could find the fault at all; otherwise it does not run. */
  reaches(fault: Fault): boolean
  /** Runs also for faults that were found already. */
  readonly runsAlways?: boolean
  run(target: Target, options: RunOptions, fault: Fault): Promise<PartResult>
}

/** Only bare sockets carry invalid bytes; messages to the merchant are watched in every part. */
const NOT_BYTES: Pick<DrillPart, 'receives' | 'reaches'> = { receives: true, reaches: ({ group }) => group !== 'bytes' }
/** Messages to the merchant or the customer: a mock sends nothing to compare them with. */
const SENT: readonly Group[] = ['bytes', 'callbacks', 'handshake', 'redirect']
const SETTINGS: Readonly<Record<string, typeof NOT_BYTES>> = {
  'mock parity': { receives: false, reaches: ({ group }) => !SENT.includes(group) },
}

const schemathesis: DrillPart = {
  name: 'schemathesis',
  receives: false,
  runsAlways: true,
  reaches: ({ at }) => at !== undefined,
  run: runSmall,
}

/** Its bytes do not pass the other proxies. No flood of connections: each takes four open files here. */
const wire: DrillPart = {
  name: 'wire',
  receives: false,
  reaches: ({ group }) => group === 'bytes',
  run: (target, options) =>
    runWire(target, options, {
      atOnce: 16,
      caseMs: 8_000,
      slowMs: 30_000,
      halfOpen: 50,
      ofEachSlowKind: 5,
      casesOf: allCases,
    }),
}

/** The parts of the suite in the drill: Schemathesis in a small form, the others as for a pull request. */
export const DRILL_PARTS: readonly DrillPart[] = [
  schemathesis,
  wire,
  ...PARTS.filter(({ name }) => name !== schemathesis.name && name !== wire.name).map((part): DrillPart => ({
    name: part.name,
    ...(SETTINGS[part.name] ?? NOT_BYTES),
    run: (target, options) => part.run(target, options),
  })),
]
