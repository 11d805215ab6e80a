import { freePort } from '../../testing/free-port.ts'
import { startInOrder } from '../fleet.ts'
import type { Role } from '../member.ts'
import { keepRunning } from '../supervised-process.ts'

/** The processes of the gateway. No fault targets them: they only experience the failover. */
export interface Gateways {
  /** URLs of the API processes. */
  readonly urls: readonly string[]
  /** Processes that exited by themselves, and the end of their output. */
  readonly broken: readonly string[]
  stop(): Promise<void>
}

interface GatewayOptions {
  readonly apis: number
  readonly workers: number
  readonly env: Readonly<Record<string, string>>
}

/** @throws Error when one does not start */
export async function startGateways({ apis, workers, env }: GatewayOptions): Promise<Gateways> {
  const broken: string[] = []
  const add = async (role: Role, n: number) => {
    const port = await freePort()
    const own = { ...env, PORT: String(port) }
    const onBroken = (what: string) => void broken.push(what)
    const options = { name: `${role} ${n + 1}`, role, env: own, offsetMs: () => 0, onBroken, isNeverKilled: true }
    return { ...keepRunning(options), role, url: `http://127.0.0.1:${port}` }
  }
  const running = await startInOrder({ apis, workers }, add).catch((error: unknown) => {
    throw new Error(`the gateway did not start: ${broken.join('; ')}`, { cause: error })
  })
  return {
    urls: running.filter(({ role }) => role === 'api').map(({ url }) => url),
    broken,
    stop: async () => void (await Promise.all(running.map((one) => one.stop()))),
  }
}
