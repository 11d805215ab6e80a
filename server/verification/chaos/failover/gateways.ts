import { freePort } from '../../testing/free-port.ts'
import { until } from '../patience.ts'
import { keepRunning, type SupervisedProcess } from '../supervised-process.ts'

/** The processes of the gateway. No fault targets them: they only experience the failover. */
export interface Gateways {
  /** URLs of the API processes. */
  readonly urls: readonly string[]
  /** Processes that exited by themselves, and the end of their output. */
  readonly broken: readonly string[]
  stop(): Promise<void>
}

export interface GatewayOptions {
  readonly apis: number
  readonly workers: number
  readonly env: Readonly<Record<string, string>>
}

const READY_MS_MAX = 60_000

/** @throws Error when one does not start */
export async function startGateways({ apis, workers, env }: GatewayOptions): Promise<Gateways> {
  const broken: string[] = []
  const running: SupervisedProcess[] = []
  const add = (role: 'api' | 'worker', n: number, own: Readonly<Record<string, string>>): SupervisedProcess => {
    const onBroken = (what: string) => void broken.push(what)
    const options = { name: `${role} ${n + 1}`, role, env: { ...env, ...own }, offsetMs: () => 0, onBroken }
    const one = keepRunning({ ...options, isNeverKilled: true })
    running.push(one)
    return one
  }
  const stop = async () => void (await Promise.all(running.map((one) => one.stop())))
  const urls: string[] = []
  try {
    // The first process migrates the database.
    for (let n = 0; n < apis; n += 1) {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      add('api', n, { PORT: String(port) })
      await until(() => isReady(url), READY_MS_MAX, `API process ${n + 1} is ready ${broken.join()}`)
      urls.push(url)
    }
    const started = Array.from({ length: workers }, (_, n) => add('worker', n, {}))
    await Promise.all(started.map((one) => until(async () => one.hasStarted(), READY_MS_MAX, 'a worker has started')))
  } catch (error) {
    await stop()
    throw new Error(`the gateway did not start: ${broken.join('; ')}`, { cause: error })
  }
  return { urls, broken, stop }
}

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )
