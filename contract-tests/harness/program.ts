import { execFile, type ExecFileOptions } from 'node:child_process'

export interface ProgramResult {
  /** -1: it did not exit on its own. */
  readonly code: number
  readonly out: string
  readonly err: string
}

const PRINTED_BYTES_MAX = 64 * 1_048_576

/** Runs a program to its end. It never throws: errors are part of the result. */
export const runProgram = (
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<ProgramResult> =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { maxBuffer: PRINTED_BYTES_MAX, ...options, encoding: 'utf8' },
      (error, out, err) => {
        const failed = typeof error?.code === 'number' ? error.code : -1
        process.off('exit', kill)
        resolve({ code: error === null ? 0 : failed, out, err })
      },
    )
    // An interrupted run leaves no program behind.
    const kill = () => void child.kill('SIGKILL')
    process.once('exit', kill)
  })
