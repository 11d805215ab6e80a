import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { until } from '../../../server/verification/testing/served-gateway.ts'
import { runToolbox } from '../run-toolbox.ts'
import { testTerminal, type TestTerminal } from './terminal.ts'

export const WAIT_MS = 60_000

/** A `listen` that runs. */
export interface Listening {
  readonly terminal: TestTerminal
  readonly ended: Promise<number>
}

/** A sandbox's database, and gateways on it: on the real clock, with jobs that run by themselves. */
export async function sandboxes() {
  const { connection } = await forFile(createTestDatabase())
  return (env: Readonly<Record<string, string>> = {}) =>
    startTestGateway({ connection, surroundings: { runJobs: true }, env: { MALIPO_SANDBOX_DELAY_MS: '0', ...env } })
}

/** The command `listen` at a sandbox, in a folder of each test; what still runs at the end of a test must end with 0. */
export function listeningAt(gatewayUrl: () => string) {
  let folder: string
  let listening: Listening[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'malipo-listen-'))
    listening = []
  })
  afterEach(async () => {
    for (const { terminal, ended } of listening) {
      terminal.end()
      expect(await ended).toBe(0)
    }
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    folder: () => folder,
    /** The last that was started; it no longer ends with the test. */
    takeLast: () => listening.pop(),
    /** Starts `listen` and waits until it has read the inbox. */
    async listen(...args: readonly string[]): Promise<TestTerminal> {
      const terminal = testTerminal(folder)
      const given = ['listen', '--gateway', gatewayUrl(), '--interval-ms', '50', ...args]
      listening.push({ terminal, ended: runToolbox(given, terminal) })
      await until(() => terminal.printed.some((line) => line.startsWith('listening to')), WAIT_MS, 'it listens')
      return terminal
    },
  }
}
