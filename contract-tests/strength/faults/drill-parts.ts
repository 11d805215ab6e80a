import type { PartResult, RunOptions, Target } from '../../harness/part.ts'
import { PARTS } from '../../suite.ts'
import { allCases } from '../../parts/wire/cases/all.ts'
import { runWire } from '../../parts/wire/wire.ts'
import type { Fault, Group } from './fault.ts'
import { runSmall } from './schemathesis.ts'

/** A part of the contract tests as the drill runs it. */
export interface DrillPart {
  readonly name: string
  /** Whether it has a merchant's server of its own; without, the gateway's inbox answers. */
  readonly receives: boolean
  /** Whether it could see the fault at all; it is not asked otherwise. */
  reaches(fault: Fault): boolean
  /** Asked also about what was found already. */
  readonly asksAll?: boolean
  run(target: Target, options: RunOptions, fault: Fault): Promise<PartResult>
}

/** Only bare sockets see bytes; what comes to the merchant is seen by who watches, whatever part asked for it. */
const NOT_BYTES: Pick<DrillPart, 'receives' | 'reaches'> = { receives: true, reaches: ({ group }) => group !== 'bytes' }
/** What comes to the merchant or his customer: a mock sends nothing that this could be compared with. */
const SENT: readonly Group[] = ['bytes', 'callbacks', 'handshake', 'redirect']
const SETTINGS: Readonly<Record<string, typeof NOT_BYTES>> = {
  'mock parity': { receives: false, reaches: ({ group }) => !SENT.includes(group) },
}

const schemathesis: DrillPart = {
  name: 'schemathesis',
  receives: false,
  asksAll: true,
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

/** The parts of the suite as they are asked: Schemathesis in a small form, the others as for a pull request. */
export const DRILL_PARTS: readonly DrillPart[] = [
  schemathesis,
  wire,
  ...PARTS.filter(({ name }) => name !== schemathesis.name && name !== wire.name).map((part): DrillPart => ({
    name: part.name,
    ...(SETTINGS[part.name] ?? NOT_BYTES),
    run: (target, options) => part.run(target, options),
  })),
]
