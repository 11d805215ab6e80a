import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { childEnv } from '../../../server/verification/testing/child-env.ts'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { listens } from '../../harness/listen.ts'
import { runProgram } from '../../harness/program.ts'
import {
  BARE_ENVIRONMENT,
  compileCSharp,
  compileGo,
  compileJava,
  type Compile,
  type Sources,
} from './compile-samples.ts'
import { findDotnet, type Command } from './dotnet.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TIME_MS_MAX = 30_000
const POLL_MS = 50

interface SampleResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A language with samples in the docs. */
interface Language {
  /** Its name in the docs. */
  readonly label: string
  /** Prepares samples for any number of runs. */
  readonly prepare: (sources: Sources) => Promise<Programs>
  /** Slow to start: the default run covers only some of its samples. */
  readonly isCompiled?: true
  /** The language has no JSON parser: its samples print the raw reply. */
  readonly printsReplies?: true
  /** Runs a sample that listens on {@link SHOWN_PORT}. Absent: the docs have no receiver in this language. */
  readonly listen?: (source: string) => Promise<RunningSample>
  /** What is missing on this machine. */
  readonly missing?: string
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

export const SHOWN_PORT = '3000'

/** Runs shell lines as a reader's terminal would, and stops at the first that fails. */
export const runShell = (text: string, env: Readonly<Record<string, string>> = {}): Promise<SampleResult> =>
  run('bash', ['-euo', 'pipefail', '-c', text], env)

/** Runs a TypeScript file that resolves `@malipo/client`, as in a merchant's project. */
export const runTypeScript = (text: string): Promise<SampleResult> =>
  inFile('ts', text, (file) => run(process.execPath, [file], {}))

/** The same for a program that listens on {@link SHOWN_PORT}. */
export const listenTypeScript = (source: string): Promise<RunningSample> =>
  listening('ts', source, (file) => [process.execPath, [file]])

const answers = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const missingUnless = (there: boolean, what: string) => (there ? {} : { missing: what })

/** A script needs no preparation: it runs as it is. */
const scripts =
  (runSource: (source: string) => Promise<SampleResult>): Language['prepare'] =>
  async (sources) => ({ run: (name) => runSource(sources[name] ?? ''), remove: async () => {} })

/** The port is a number in the text, so a receiver is compiled per port. */
const receivers =
  (compile: Compile): NonNullable<Language['listen']> =>
  async (source) => {
    const port = await freePort()
    const { command, remove } = await compile({ sample: onPort(source, port) })
    return startListening(port, command('sample'), BARE_ENVIRONMENT, remove)
  }

const programs =
  (compile: Compile): Language['prepare'] =>
  async (sources) => {
    const { command, remove } = await compile(sources)
    return { run: (name) => run(...command(name), BARE_ENVIRONMENT), remove }
  }

export const LANGUAGES: readonly Language[] = [
  {
    label: 'curl',
    prepare: scripts((source) => runShell(source)),
    printsReplies: true,
    ...missingUnless(answers('curl', '--version'), 'curl'),
  },
  { label: 'TypeScript', prepare: scripts(runTypeScript), listen: listenTypeScript },
  {
    label: 'Python',
    prepare: scripts((source) => inFile('py', source, (file) => run('python3', [file], {}))),
    listen: (source) => listening('py', source, (file) => ['python3', [file]]),
    ...missingUnless(answers('python3', '--version'), 'Python 3 (python3)'),
  },
  {
    label: 'PHP',
    prepare: scripts((source) => inFile('php', source, (file) => run('php', [file], {}))),
    listen: (source) => listening('php', source, (file, port) => ['php', ['-S', `127.0.0.1:${port}`, file]]),
    ...missingUnless(
      answers('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
      'PHP with its curl extension (php-cli, php-curl)',
    ),
  },
  {
    label: 'Java',
    prepare: programs(compileJava),
    listen: receivers(compileJava),
    isCompiled: true,
    printsReplies: true,
    ...missingUnless(answers('javac', '--version'), 'JDK (default-jdk-headless)'),
  },
  {
    label: 'Go',
    prepare: programs(compileGo),
    listen: receivers(compileGo),
    isCompiled: true,
    ...missingUnless(answers('go', 'version'), 'Go (golang-go)'),
  },
  {
    label: 'C#',
    prepare: programs(compileCSharp),
    listen: receivers(compileCSharp),
    isCompiled: true,
    ...missingUnless(
      findDotnet() !== undefined,
      'SDK of .NET (dotnet; node contract-tests/consumers/samples/install-dotnet.ts puts packages in its place)',
    ),
  },
]

async function makeFile(extension: string, text: string): Promise<{ readonly folder: string; readonly file: string }> {
  const dist = join(ROOT, 'dist')
  await mkdir(dist, { recursive: true })
  const folder = await mkdtemp(join(dist, 'sample-'))
  const file = join(folder, `sample.${extension}`)
  await writeFile(file, text)
  return { folder, file }
}

async function inFile(
  extension: string,
  text: string,
  use: (file: string) => Promise<SampleResult>,
): Promise<SampleResult> {
  const { folder, file } = await makeFile(extension, text)
  try {
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Nothing of the environment but PATH and Node's cache of compiled modules: a user's proxy or key must not influence
 * the test.
 */
async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<SampleResult> {
  const options = { cwd: ROOT, env: { ...childEnv(), ...env }, timeout: TIME_MS_MAX }
  const { code, out, err } = await runProgram(program, args, options)
  return { exitCode: code, stdout: out, stderr: err }
}

const onPort = (source: string, port: number): string => source.replaceAll(SHOWN_PORT, String(port))

async function listening(
  extension: string,
  source: string,
  command: (file: string, port: number) => Command,
): Promise<RunningSample> {
  const port = await freePort()
  const { folder, file } = await makeFile(extension, onPort(source, port))
  const remove = () => rm(folder, { recursive: true, force: true })
  return startListening(port, command(file, port), { ...childEnv(), TMPDIR: folder }, remove)
}

/** Its files are in a folder of its own, which is removed with it. */
async function startListening(
  port: number,
  [program, args]: Command,
  env: Readonly<Record<string, string>>,
  remove: () => Promise<void>,
): Promise<RunningSample> {
  const folder = await mkdtemp(join(ROOT, 'dist', 'listening-'))
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
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
