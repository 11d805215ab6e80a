import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { mtnMomo } from '../mtn-momo/mtn-momo.ts'
import type { OperatorOptions } from '../operator.ts'
import type { Scenario } from '../scenarios/effects.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts'

/** MTN on a frozen clock, until the test ends. */
export async function simulatedMtn(
  options: SimulatorOptions & OperatorOptions & { readonly scenarios?: readonly Scenario[] } = {},
): Promise<Simulator> {
  const simulator = await startSimulator(mtnMomo(options), { frozen: true, ...options })
  simulator.scenarios.add(options.scenarios ?? [])
  onTestFinished(() => simulator.close())
  return simulator
}

export interface ReceivedCallback {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** A merchant's server that receives callbacks, until the test ends. */
export async function receiver(answer = 200): Promise<{ readonly url: string; readonly received: ReceivedCallback[] }> {
  const received: ReceivedCallback[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '' } = request
      received.push({ method, path, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown })
      response.writeHead(answer).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
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
