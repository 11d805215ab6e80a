import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freePort } from './free-port.ts'
import { MASTER_KEY } from './gateway.ts'
import { serve, type ServedGateway, type ServeOptions } from './served-gateway.ts'
import { temporaryFolder } from './temporary-folder.ts'

type StartOptions = Partial<Pick<ServeOptions, 'dataDir' | 'port' | 'role' | 'env' | 'cli'>>

interface GatewayProcesses {
  /** Removed after the last test of the file. */
  readonly folder: string
  /** With a free port and a data folder of its own by default. */
  start(options?: StartOptions): Promise<ServedGateway>
  /** @returns how it ended */
  end(gateway: ServedGateway, signal?: NodeJS.Signals): ReturnType<typeof endOf>
  /** Those that still run, in the order of their start. @returns how each ended */
  endAll(signal?: NodeJS.Signals): Promise<Awaited<ReturnType<typeof endOf>>[]>
}

/**
 * Processes of `malipo serve`; what still runs after the last test of the file is killed. Called where the tests are
 * declared, after the database that they use.
 * @param env of all of them
 */
export function gatewayProcesses(env: ServeOptions['env'] = {}): GatewayProcesses {
  const { path: folder } = temporaryFolder()
  const running = new Set<ServedGateway>()
  const end = (gateway: ServedGateway, signal: NodeJS.Signals = 'SIGKILL') => endOf(gateway, signal)
  const endAll = (signal?: NodeJS.Signals) => Promise.all([...running].map((gateway) => end(gateway, signal)))
  afterAll(() => endAll())
  return {
    folder,
    end,
    endAll,
    async start({ env: more, port: chosen, ...options } = {}) {
      const port = chosen ?? (await freePort())
      const all = { MALIPO_MASTER_KEY: MASTER_KEY, ...env, ...more }
      const gateway = await serve({ dataDir: join(folder, String(port)), port, ...options, env: all })
      running.add(gateway)
      void gateway.exited.then(() => running.delete(gateway))
      return gateway
    },
  }
}

function endOf({ child, exited }: ServedGateway, signal: NodeJS.Signals): ServedGateway['exited'] {
  child.kill(signal)
  return exited
}
