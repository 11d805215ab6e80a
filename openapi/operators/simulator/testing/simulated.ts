import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { mtnMomo } from '../mtn-momo/mtn-momo.ts'
import type { Operator, OperatorOptions } from '../operator.ts'
import type { Scenario } from '../scenarios/effects.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts'
import { listening } from '../../../../server/verification/testing/listening.ts'

type TestOptions = SimulatorOptions & { readonly scenarios?: readonly Scenario[] }

/** An operator on a frozen clock, until the test ends. All that it has said by then fits its contract. */
export async function simulated(
  operator: Operator,
  { scenarios = [], ...options }: TestOptions = {},
): Promise<Simulator> {
  const simulator = await startSimulator(operator, { frozen: true, ...options })
  simulator.scenarios.add(scenarios)
  onTestFinished(async () => {
    await simulator.close()
    expect(simulator.world.exchanges.all().filter(({ faults }) => faults.length > 0)).toEqual([])
  })
  return simulator
}

export const simulatedMtn = (options: TestOptions & OperatorOptions = {}): Promise<Simulator> =>
  simulated(mtnMomo(options), options)

interface ReceivedCallback {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface Receiver {
  readonly url: string
  readonly received: readonly ReceivedCallback[]
  /** The status of its replies; a test may change it. */
  answer: number | 'silence'
  /** The body of its replies. */
  says?: object
}

/** A merchant's server that receives callbacks, until the test ends. */
export async function receiver(answer: Receiver['answer'] = 200): Promise<Receiver> {
  const received: ReceivedCallback[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '' } = request
      received.push({ method, path, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown })
      if (self.answer !== 'silence') response.writeHead(self.answer).end(self.says && JSON.stringify(self.says))
    })
  })
  const { url, close } = await listening(server)
  onTestFinished(close)
  const self: Receiver = { url, received, answer }
  return self
}

/** The headers of a browser without script. */
export const postForm = (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

/** Moves the time by HTTP, as anybody can. */
export async function advance(simulator: Simulator, ms: number): Promise<void> {
  const response = await fetch(`${simulator.url}/simulator/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_ms: ms }),
  })
  if (!response.ok) throw new Error(`the clock did not move: ${await response.text()}`)
}

/** JSON of one of the simulator's own pages. */
export async function reportedBy<Value>(simulator: Simulator, path: string): Promise<Value> {
  const response = await fetch(`${simulator.url}${path}`)
  return (await response.json()) as Value
}
