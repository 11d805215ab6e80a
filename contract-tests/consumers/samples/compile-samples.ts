import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../harness/program.ts'

// Samples in languages that are compiled become programs all at once: to start a compiler takes longer than its work.

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))
const COMPILING_MS_MAX = 120_000

/** A program with its arguments. */
export type Command = readonly [program: string, args: readonly string[]]

/** Samples that have become programs. */
export interface Compiled {
  /** What a shell would run for the sample of this name. */
  readonly command: (name: string) => Command
  readonly remove: () => Promise<void>
}

/** By the names of the samples, in letters, digits and hyphens. */
export type Sources = Readonly<Record<string, string>>

/** @throws Error with what the compiler says */
export type Compile = (sources: Sources) => Promise<Compiled>

/** `javac` once; the reader of a single sample types `java sample.java`. */
export const compileJava: Compile = (sources) =>
  inNewFolder(async (folder) => {
    const files = await written(folder, sources, (name) => `${name}.java`)
    await compiler('javac', ['-Xlint:all', '-Werror', '-d', join(folder, 'classes'), ...files], folder)
    // What is over at once needs no compiler that thinks about it.
    const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(folder, 'classes')]
    return (name) => ['java', [...quick, /^class (\w+)/m.exec(sources[name] ?? '')?.[1] ?? name]]
  })

/** A module with a folder for each; `vet` finds what compiles and is wrong all the same. */
export const compileGo: Compile = (sources) =>
  inNewFolder(async (folder) => {
    await writeFile(join(folder, 'go.mod'), 'module samples\n\ngo 1.18\n')
    await written(folder, sources, (name) => join(name, 'main.go'))
    await compiler('go', ['vet', './...'], folder)
    await compiler('go', ['build', '-ldflags=-s -w', '-o', join(folder, 'bin') + '/', './...'], folder)
    return (name) => [join(folder, 'bin', name), []]
  })

/** The compiler of the SDK without its project files, which take longer than it does. */
export const compileCSharp: Compile = (sources) =>
  inNewFolder(async (folder) => {
    const { compilerFile, runtime, version } = dotnet()
    const libraries = (await readdir(runtime)).filter((file) => file.endsWith('.dll'))
    await writeFile(join(folder, 'references.rsp'), libraries.map((file) => `-r:"${join(runtime, file)}"`).join('\n'))
    const framework = { name: 'Microsoft.NETCore.App', version }
    const names = Object.keys(sources)
    await written(folder, sources, (name) => `${name}.cs`)
    for (const name of names) {
      await writeFile(join(folder, `${name}.runtimeconfig.json`), JSON.stringify({ runtimeOptions: { framework } }))
      const made = ['-nologo', '-noconfig', '-nostdlib', '-warnaserror', '@references.rsp', `-out:${name}.dll`]
      await compiler('dotnet', ['exec', compilerFile, ...made, `${name}.cs`], folder)
    }
    return (name) => ['dotnet', ['exec', join(folder, `${name}.dll`)]]
  })

interface Dotnet {
  readonly compilerFile: string
  readonly runtime: string
  readonly version: string
}

/** Where the newest SDK and runtime of this machine lie. @throws Error when one is missing */
function dotnet(): Dotnet {
  const newest = (what: string, form: RegExp): readonly [version: string, folder: string] => {
    const found = [...execFileSync('dotnet', [what], { encoding: 'utf8' }).matchAll(form)].at(-1)
    if (found === undefined) throw new Error(`dotnet ${what} names nothing`)
    const [, version = '', folder = ''] = found
    return [version, join(folder, version)]
  }
  const [, sdk] = newest('--list-sdks', /^(\S+) \[(.+)\]$/gm)
  const [version, runtime] = newest('--list-runtimes', /^Microsoft\.NETCore\.App (\S+) \[(.+)\]$/gm)
  return { compilerFile: join(sdk, 'Roslyn', 'bincore', 'csc.dll'), runtime, version }
}

/** Whether C# can be compiled here: a runtime alone cannot. */
export function hasDotnet(): boolean {
  try {
    return existsSync(dotnet().compilerFile)
  } catch {
    return false
  }
}

/** What compiled programs and their compilers get of the environment: no proxy, no key, no setting of the reader's. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  // Where Go keeps what it has compiled of its own library: without it every run would take half a minute.
  HOME: homedir(),
  // Java reads and writes the names of folders by it: ours may have an umlaut.
  LC_ALL: 'C.UTF-8',
  ...(process.env.GOCACHE !== undefined && { GOCACHE: process.env.GOCACHE }),
  // Standard libraries only: whatever else a sample asks for is not there.
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-mod=mod',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  DOTNET_NOLOGO: '1',
  DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
}

async function inNewFolder(compile: (folder: string) => Promise<Compiled['command']>): Promise<Compiled> {
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
