import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { SourceEdit } from './planted-fault.ts'

interface RunSettings {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Runs a program of ours on edited sources, in a process of its own.
 * @returns its output
 * @throws Error when it prints nothing: its sources do not fit together, or it took too long
 */
export async function outputOf(
  edits: readonly SourceEdit[],
  program: URL,
  args: readonly string[],
  { timeoutMs, signal }: RunSettings,
): Promise<string> {
  const hook = new URL('plant-source.ts', import.meta.url)
  hook.searchParams.set('edits', JSON.stringify(edits))
  const child = spawn(process.execPath, ['--import', hook.href, fileURLToPath(program), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    signal,
  })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (out === '') throw new Error(`${fileURLToPath(program)} printed nothing: ${error.slice(-EXCERPT)}`)
  return out
}
const EXCERPT = 2_000

/** The same for a program whose last line is JSON. @returns the value of that line */
export async function resultOf(...run: Parameters<typeof outputOf>): Promise<unknown> {
  return JSON.parse((await outputOf(...run)).trimEnd().split('\n').at(-1) ?? '')
}
