import { spawn } from 'node:child_process'

const TIME_MS_MAX = 15 * 60_000

export interface ToolResult {
  /** -1 when the program could not be started or took too long. */
  readonly code: number
  /** stdout and stderr in the order of arrival, without colours. */
  readonly output: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program to its end. It never throws: errors are part of the result. */
export function runTool(program: string, args: readonly string[], { cwd, env }: RunOptions = {}): Promise<ToolResult> {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    // Not the option `timeout`: its timer outlives a program that could not be started, and keeps this process alive.
    // The whole process group is killed, because its members would hold the streams open, also when this process ends.
    const kill = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const late = setTimeout(kill, TIME_MS_MAX)
    process.once('exit', kill)
    const end = (code: number | null, text: string) => {
      clearTimeout(late)
      process.off('exit', kill)
      resolve({ code: code ?? -1, output: text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '') })
    }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => end(-1, output + error.message))
    child.on('close', (code) => end(code, output))
  })
}

/** Runs several steps until one fails. */
export async function runInTurn(...steps: readonly (() => Promise<ToolResult>)[]): Promise<ToolResult> {
  let output = ''
  for (const step of steps) {
    const ran = await step()
    output += ran.output
    if (ran.code !== 0) return { code: ran.code, output }
  }
  return { code: 0, output }
}

/** Splits a command line in which nothing needs quotes. */
export const words = (line: string): string[] => line.split(' ')

/** Whether a program can be started; `args` should only print its version. */
export const canRun = async (program: string, args: readonly string[]): Promise<boolean> =>
  (await runTool(program, args)).code === 0
