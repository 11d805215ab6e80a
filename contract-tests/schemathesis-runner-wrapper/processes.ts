import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import type { Environment } from './options.ts'

/** Kills a process group. It may have ended already. */
export function endTree({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  // Windows has neither groups nor signals.
  if (process.platform === 'win32') return void spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'])
  try {
    process.kill(-pid, signal)
  } catch {
    /* it has ended already */
  }
}

export interface ProcessResult {
  /** -1 when it could not be started, or did not exit on its own. */
  readonly code: number
  /** Its output, both streams; or why it could not be started. */
  readonly output: string
}

interface Run {
  readonly env: Environment
  readonly timeoutMs: number
  readonly cwd?: string | undefined
  readonly input?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs a program to its end, or kills its process group. It never throws. */
export function runToEnd(
  command: readonly string[],
  given: Run,
): Promise<ProcessResult & { readonly isLate: boolean }> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    let [output, isLate] = ['', false]
    const child = spawn(program, args, {
      cwd: given.cwd,
      env: { ...given.env },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const kill = () => endTree(child, 'SIGKILL')
    const late = setTimeout(() => {
      isLate = true
      kill()
    }, given.timeoutMs)
    const end = (code: number | null) => {
      clearTimeout(late)
      process.off('exit', kill)
      given.signal?.removeEventListener('abort', kill)
      resolve({ code: code ?? -1, output, isLate })
    }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    process.once('exit', kill)
    if (given.signal?.aborted === true) kill()
    given.signal?.addEventListener('abort', kill, { once: true })
    child.once('error', ({ message }) => {
      output += message
      end(-1)
    })
    child.once('close', end)
    // A program that has ended does not read its input.
    child.stdin.on('error', () => undefined).end(given.input ?? '')
  })
}
