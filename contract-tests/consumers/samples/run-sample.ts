import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { childEnv } from '../../../server/verification/testing/child-env.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { listens } from '../../harness/listen.ts'
import { runProgram, type ProgramResult } from '../../harness/program.ts'
import { ALL_LANGUAGES, TYPESCRIPT, type LanguageTools } from './languages.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIME_MS_MAX = 30_000
/** Time limit of one compiler run. With a cold cache Go first compiles its standard library: a minute on two cores. */
export const COMPILING_MS_MAX = 300_000
const POLL_MS = 50
export const SHOWN_PORT = '3000'

interface SampleResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Prepared samples, by name. */
interface Programs {
  readonly run: (name: string) => Promise<SampleResult>
  readonly remove: () => Promise<void>
}

/** A receiver sample: a program of its own, on a port of its own. */
export interface RunningSample {
  readonly port: number
  /** Its output so far. */
  output(): string
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** Keyed by sample name: letters, digits and hyphens. */
type Sources = Readonly<Record<string, string>>

/** Environment of compilers and compiled programs: no proxy, no key, no setting of the user. */
const COMPILER_ENVIRONMENT: Environment = {
  ...childEnv(),
  // Go's cache of its compiled standard library: without it every run takes half a minute longer.
  HOME: homedir(),
  ...(process.env.GOCACHE !== undefined && { GOCACHE: process.env.GOCACHE }),
  ...(process.env.XDG_CACHE_HOME !== undefined && { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME }),
  // Java decodes folder names with it: ours may contain an umlaut.
  LC_ALL: 'C.UTF-8',
  // Standard libraries only: nothing else that a sample may import is installed.
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-mod=mod',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_NOLOGO: '1',
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
}

/** A user's proxy or key must not influence a test. */
const environmentOf = ({ compile }: LanguageTools): Environment =>
  compile === undefined ? childEnv() : COMPILER_ENVIRONMENT

/** The languages of the docs, and what is missing here. */
export const LANGUAGES = ALL_LANGUAGES.map((language) => {
  const { label, compile, listen, printsReplies, needs, missing } = language
  const { status } = spawnSync('sh', ['-c', needs], { env: COMPILER_ENVIRONMENT, stdio: 'ignore' })
  return {
    label,
    /** Slow to start: the default run covers only some of its samples. */
    isCompiled: compile !== undefined,
    printsReplies: printsReplies === true,
    ...(status !== 0 && { missing }),
    prepare: (sources: Sources): Promise<Programs> => prepare(language, sources),
    ...(listen !== undefined && { listen: (source: string) => startListening(language, source) }),
  }
})

/** Runs shell lines as a reader's terminal would, and stops at the first that fails. */
export const runShell = async (text: string, env: Environment = {}): Promise<SampleResult> =>
  sampleResult(
    await runProgram('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: ROOT,
      env: { ...childEnv(), ...env },
      timeout: TIME_MS_MAX,
    }),
  )

/** Runs a TypeScript file that resolves `@malipo/client`, as in a merchant's project. */
export async function runTypeScript(text: string): Promise<SampleResult> {
  const { run, remove } = await prepare(TYPESCRIPT, { sample: text })
  try {
    return await run('sample')
  } finally {
    await remove()
  }
}

/** The same for a program that listens on {@link SHOWN_PORT}. */
export const listenTypeScript = (source: string): Promise<RunningSample> => startListening(TYPESCRIPT, source)

async function prepare(language: LanguageTools, sources: Sources): Promise<Programs> {
  const { folder, remove } = await written(language, sources)
  const env = environmentOf(language)
  return {
    run: async (name) => {
      const options = { cwd: join(folder, name), env, timeout: TIME_MS_MAX }
      return sampleResult(await runProgram('sh', ['-c', `exec ${language.run}`], options))
    },
    remove,
  }
}

/** A folder with a folder for each sample, compiled. @throws Error with the compiler's output */
async function written({ label, file, compile }: LanguageTools, sources: Sources) {
  await mkdir(join(ROOT, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(ROOT, 'dist', 'samples-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  for (const [name, source] of Object.entries(sources)) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, file), source)
  }
  if (compile === undefined) return { folder, remove }
  const options = { cwd: folder, env: COMPILER_ENVIRONMENT, timeout: COMPILING_MS_MAX }
  const { code, out, err } = await runProgram('sh', ['-ec', compile], options)
  if (code === 0) return { folder, remove }
  await remove()
  throw new Error(`${label} does not take the samples:\n${out}${err}`)
}

const sampleResult = ({ code, out, err }: ProgramResult): SampleResult => ({ exitCode: code, stdout: out, stderr: err })

/** The port is a number in the text, so a receiver is compiled per port. */
async function startListening(language: LanguageTools, source: string): Promise<RunningSample> {
  const port = await freePort()
  const { folder, remove } = await written(language, { sample: source.replaceAll(SHOWN_PORT, String(port)) })
  const child = spawn('sh', ['-c', `exec ${language.listen ?? language.run}`], {
    cwd: join(folder, 'sample'),
    env: { ...environmentOf(language), PORT: String(port), TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await remove()
  }
  const deadline = Date.now() + TIME_MS_MAX
  while (!(await listens(port))) {
    // .NET ends with a signal on an unhandled exception.
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error(`the sample does not listen on port ${port}:\n${text}`)
    }
    await pause(POLL_MS)
  }
  return { port, output: () => text, stop }
}
