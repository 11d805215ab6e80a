import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { once } from 'node:events'

export const CLI = fileURLToPath(new URL('../../cli.ts', import.meta.url))

export interface CommandResult {
  /** Absent: a signal ended it. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a command of `malipo` in a process of its own. @param cli of this tree by default */
export async function runCommand(
  args: readonly string[],
  env: Readonly<NodeJS.ProcessEnv>,
  cli = CLI,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // "close", not "exit": the last output may still be in the pipe when the process has exited.
  const closed = once(child, 'close') as Promise<[code: number | null]>
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, out, err }
}
