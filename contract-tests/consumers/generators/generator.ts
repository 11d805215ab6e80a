import { access, mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '../../schemathesis-runner-wrapper/processes.ts'

/** A warning of a generator that does not affect users of the client. */
interface ExpectedLine {
  readonly line: RegExp
  readonly why: string
}

/**
 * A client generator for one language. Its steps are shell lines in an empty folder, `$JOB`; they find their own
 * installation in `$CACHE`, the contract in `$CONTRACT`, our files in `$FILES`, and the gateway at `$URL`.
 */
export interface Generator {
  readonly name: string
  readonly language: string
  /** Pinned, because another version may generate different code. */
  readonly version: string
  /** Which of the two documents it reads. */
  readonly reads: '3.1' | '3.0'
  /** The issue in the generator's own tracker about OpenAPI 3.1; only for generators that cannot read 3.1. */
  readonly older?: string
  readonly explained?: readonly ExpectedLine[]
  /** What the machine must have, in words, each with a line that fails without it. */
  readonly needs?: Readonly<Record<string, string>>
  /** How it comes into the cache folder. Absent: it is a dependency of the project. */
  readonly installation?: Installation
  readonly generate: string
  readonly compile: string
  /** Lists the providers and starts a collection with the generated client; prints `accepted <merchant_reference>`. */
  readonly call: string
}

export interface Installation {
  /** Its folder: name and version. */
  readonly name: string
  /** A file in it that shows that it is whole. */
  readonly file: string
  readonly lines: string
}

export interface ShellResult {
  /** -1 when the shell could not be started or took too long. */
  readonly code: number
  /** stdout and stderr in the order of arrival, without colours. */
  readonly output: string
}

const TIME_MS_MAX = 15 * 60_000

/** Runs shell lines until one fails. It never throws: errors are part of the result. */
export async function runLines(
  lines: string,
  { cwd, env }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ShellResult> {
  const given = { ...process.env, NODE: process.execPath, NO_COLOR: '1', DO_NOT_TRACK: '1', ...env }
  const { code, output } = await runToEnd(['sh', '-ec', lines], { cwd, env: given, timeoutMs: TIME_MS_MAX })
  return { code, output: output.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '') }
}

/** Generators are installed next to the caches of other tools, never into the project. */
export const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'malipo-generators')

/** Fills the folder of a tool, once. @returns one line that says what is missing; undefined: nothing */
export async function install(
  { name, file, lines }: Installation,
  cache: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const folder = join(cache, name)
  if (await isInstalled({ name, file }, cache)) return undefined
  // Built in a temporary folder and renamed in one step: a killed run leaves no half-filled folder.
  const draft = `${folder}.draft-${process.pid}`
  await mkdir(draft, { recursive: true })
  const { code, output } = await runLines(lines, { cwd: draft, env: { ...env, CACHE: draft } })
  if (code === 0) {
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
  }
  await rm(draft, { recursive: true, force: true })
  if (code === 0 && (await isInstalled({ name, file }, cache))) return undefined
  return `${name} could not be installed: ${firstError(output)}`
}

export const isInstalled = ({ name, file }: Pick<Installation, 'name' | 'file'>, cache: string): Promise<boolean> =>
  access(join(cache, name, file)).then(
    () => true,
    () => false,
  )

/** The most informative line of an output, for a table. */
export const firstError = (output: string): string => {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.find((line) => /\berror\b|exception|cannot|fatal/i.test(line)) ?? lines.at(-1) ?? 'it printed nothing'
}
