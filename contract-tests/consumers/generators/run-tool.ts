import { runToEnd } from '../../schemathesis-runner-wrapper/processes.ts'

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
export async function runTool(
  program: string,
  args: readonly string[],
  { cwd, env }: RunOptions = {},
): Promise<ToolResult> {
  const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env }, timeoutMs: TIME_MS_MAX }
  const { code, output } = await runToEnd([program, ...args], options)
  return { code, output: output.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '') }
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
