import { fastify } from 'fastify'
import { createCallbacks } from './callbacks.ts'
import { compiledOf } from './contract/compiled.ts'
import type { Operator } from './operator.ts'
import { controlRoutes } from './pages/control-routes.ts'
import { phoneRoutes } from './pages/phone-routes.ts'
import type { Parts } from './parts.ts'
import { malipoNumbers } from './scenarios/malipo-numbers.ts'
import { createScenarios } from './scenarios/scenarios.ts'
import { operatorRoutes } from './wire/operator-routes.ts'
import { chanceOf } from './world/chance.ts'
import { createClock, type Clock } from './world/clock.ts'
import type { Journal } from './world/journal.ts'
import { createLifecycle } from './world/lifecycle.ts'
import { createWorld } from './world/world.ts'

export interface SimulatorOptions {
  /** 0: any free one. */
  readonly port?: number
  readonly host?: string
  /** Orders that would wait for a phone are approved automatically after two seconds. */
  readonly auto?: boolean
  /** Time only moves when it is advanced. */
  readonly frozen?: boolean
  readonly clock?: Clock
  /** Numbers act as the test numbers of Malipo's sandbox, after this usual delay; else as the operator's own. */
  readonly malipoNumbersMs?: number
  /** Where its book is stored; in memory only unless given. */
  readonly journal?: Journal
  /** For ids and random behaviour; absent: different every time. */
  readonly seed?: number
}

/** A listening simulator. Its state can be read and changed from the same process. */
export interface Simulator extends Parts {
  readonly url: string
  close(): Promise<void>
}

const AUTO_AFTER_MS = 2_000
const BODY_MAX_BYTES = 1_048_576

/** @throws Error when the port is taken */
export async function startSimulator(own: Operator, options: SimulatorOptions = {}): Promise<Simulator> {
  const { malipoNumbersMs } = options
  const numbers = malipoNumbersMs === undefined ? undefined : malipoNumbers(own.malipoNumbers, malipoNumbersMs)
  const operator = numbers ? { ...own, planOf: numbers.planOf } : own
  const clock = options.clock ?? createClock({ frozen: options.frozen ?? false })
  const world = createWorld(clock, chanceOf(options.seed), operator.accounts, options.journal)
  const { backend, faults } = await compiledOf(operator.document)
  const callbacks = createCallbacks(operator, world, faults)
  const scenarios = numbers?.around(createScenarios()) ?? createScenarios()
  const autoAfterMs = options.auto ? AUTO_AFTER_MS : undefined
  const lifecycle = createLifecycle({ operator, world, report: callbacks.report, autoAfterMs })
  const open = operator.open(world, callbacks)

  const app = fastify({ bodyLimit: BODY_MAX_BYTES, forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const parts = { operator, open, world, scenarios, lifecycle, callbacks }
  controlRoutes(app, parts)
  phoneRoutes(app, parts)
  operatorRoutes(app, { ...parts, backend, faults })
  const url = await app.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 })
  lifecycle.restore()

  return {
    url,
    ...parts,
    async close() {
      clock.stop()
      await app.close()
    },
  }
}
