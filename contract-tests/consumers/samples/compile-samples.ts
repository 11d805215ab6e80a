import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../harness/program.ts'
import { findDotnet, type Command } from './dotnet.ts'

// Samples in compiled languages are compiled together: starting a compiler takes longer than its work.

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))
/** Time limit of one compiler run. With a cold cache Go first compiles its standard library: a minute on two cores. */
export const COMPILING_MS_MAX = 300_000

/** Compiled samples. */
interface CompiledSamples {
  /** The shell command that runs the sample of this name. */
  readonly command: (name: string) => Command
  readonly remove: () => Promise<void>
}

/** Keyed by sample name: letters, digits and hyphens. */
export type Sources = Readonly<Record<string, string>>

/** @throws Error with the compiler's output */
export type Compile = (sources: Sources) => Promise<CompiledSamples>

/** One `javac` run; the reader of a single sample types `java sample.java`. */
export const compileJava: Compile = (sources) =>
  inNewFolder(async (folder) => {
    const files = await written(folder, sources, (name) => `${name}.java`)
    await compiler('javac', ['-Xlint:all', '-Werror', '-d', join(folder, 'classes'), ...files], folder)
    // Short-lived programs gain nothing from the optimizing compiler.
    const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(folder, 'classes')]
    return (name) => ['java', [...quick, /^class (\w+)/m.exec(sources[name] ?? '')?.[1] ?? name]]
  })

/** One module with a folder per sample; `vet` also finds mistakes that compile. */
export const compileGo: Compile = (sources) =>
  inNewFolder(async (folder) => {
    await writeFile(join(folder, 'go.mod'), 'module samples\n\ngo 1.18\n')
    await written(folder, sources, (name) => join(name, 'main.go'))
    await compiler('go', ['vet', './...'], folder)
    await compiler('go', ['build', '-ldflags=-s -w', '-o', join(folder, 'bin') + '/', './...'], folder)
    return (name) => [join(folder, 'bin', name), []]
  })

/** With the .NET SDK, or with the replacement that {@link findDotnet} finds. */
export const compileCSharp: Compile = (sources) =>
  inNewFolder(async (folder) => {
    const dotnet = findDotnet()
    if (dotnet === undefined) throw new Error('nothing here compiles C#')
    const framework = { name: 'Microsoft.NETCore.App', version: dotnet.version }
    const config = JSON.stringify({ runtimeOptions: { framework } })
    const names = Object.keys(sources)
    await written(folder, sources, (name) => `${name}.cs`)
    for (const name of names) await writeFile(join(folder, `${name}.runtimeconfig.json`), config)
    for (const [program, args] of dotnet.compilers(folder, names)) await compiler(program, args, folder)
    return (name) => [dotnet.program, ['exec', join(folder, `${name}.dll`)]]
  })

/** Environment of compilers and compiled programs: no proxy, no key, no setting of the user. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  // Go's cache of its compiled standard library: without it every run takes half a minute longer.
  HOME: homedir(),
  // Java decodes folder names with it: ours may contain an umlaut.
  LC_ALL: 'C.UTF-8',
  ...(process.env.GOCACHE !== undefined && { GOCACHE: process.env.GOCACHE }),
  // Standard libraries only: nothing else that a sample may import is installed.
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-mod=mod',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_NOLOGO: '1',
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
}

async function inNewFolder(compile: (folder: string) => Promise<CompiledSamples['command']>): Promise<CompiledSamples> {
  await mkdir(DIST, { recursive: true })
  const folder = await mkdtemp(join(DIST, 'samples-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    return { command: await compile(folder), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function written(folder: string, sources: Sources, fileOf: (name: string) => string): Promise<string[]> {
  const files = Object.entries(sources).map(([name, source]) => ({ file: join(folder, fileOf(name)), source }))
  for (const { file, source } of files) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, source)
  }
  return files.map(({ file }) => file)
}

async function compiler(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, out, err } = await runProgram(program, args, {
    cwd,
    env: BARE_ENVIRONMENT,
    timeout: COMPILING_MS_MAX,
  })
  if (code !== 0) throw new Error(`${program} does not take the samples:\n${out}${err}`)
}
