import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached, cacheFolder } from '../generators/cache.ts'
import type { ToolStatus } from '../generators/generator.ts'
import { runInTurn, runTool, words } from '../generators/run-tool.ts'

// Compiles and runs C#: the .NET SDK or, without one, a runtime from PyPI and the compiler from npm.

/** A program with its arguments. */
export type Command = readonly [program: string, args: readonly string[]]

interface Dotnet {
  /** The program `dotnet`. */
  readonly program: string
  /** Of the runtime. */
  readonly version: string
  /** Compiles each file of a folder to a program beside it; run from that folder, one after the other. */
  readonly compilers: (folder: string, names: readonly string[]) => readonly Command[]
}

const FRAMEWORK = 'Microsoft.NETCore.App'
const PIP = 'install --quiet --disable-pip-version-check --no-input --only-binary :all: --no-deps --require-hashes -r'
const PYTHON = join('bin', 'python')
const RUNTIME = 'lib/python3.*/site-packages/dnv/net/runtime/.net'
const ROSLYN = 'node_modules/@autorest/csharp'

const fileHere = (name: string): string => fileURLToPath(new URL(`csharp/${name}`, import.meta.url))
const NPM_FILES = ['package.json', 'package-lock.json']

/** The SDK of this machine or, without one, what {@link installDotnet} has installed. */
export function findDotnet(): Dotnet | undefined {
  try {
    return sdk()
  } catch {
    return fromPackages(join(cacheFolder(process.env), packagesName()))
  }
}

/** Installs the C# compiler and runtime into the user's cache folder, once: about 120 MB. */
export const installDotnet = (): Promise<ToolStatus> =>
  cached({
    cache: cacheFolder(process.env),
    name: packagesName(),
    tool: PYTHON,
    install: true,
    fill: (folder) =>
      runInTurn(
        () => runTool('python3', ['-m', 'venv', folder]),
        () => runTool(join(folder, PYTHON), ['-m', 'pip', ...words(PIP), fileHere('requirements.lock')]),
        () => {
          for (const file of NPM_FILES) copyFileSync(fileHere(file), join(folder, file))
          return runTool('npm', words('ci --silent --ignore-scripts --no-audit --no-fund'), { cwd: folder })
        },
        () => {
          const program = join(globSync(join(folder, RUNTIME))[0] ?? folder, 'dotnet')
          // Python packages keep no file modes.
          if (existsSync(program)) chmodSync(program, 0o755)
          return runTool(program, ['--list-runtimes'])
        },
      ),
  })

/** Other versions get another folder. */
function packagesName(): string {
  const hash = createHash('sha256')
  for (const file of ['requirements.lock', ...NPM_FILES]) hash.update(readFileSync(fileHere(file)))
  return `dotnet-${hash.digest('hex').slice(0, 12)}`
}

/** The newest SDK and runtime of this machine. @throws Error when one is missing */
function sdk(): Dotnet {
  const newest = (what: string, form: RegExp): readonly [version: string, folder: string] => {
    const found = [...execFileSync('dotnet', [what], { encoding: 'utf8', stdio: 'pipe' }).matchAll(form)].at(-1)
    if (found === undefined) throw new Error(`dotnet ${what} names nothing`)
    const [, version = '', folder = ''] = found
    return [version, join(folder, version)]
  }
  const [, home] = newest('--list-sdks', /^(\S+) \[(.+)\]$/gm)
  const [version, runtime] = newest('--list-runtimes', /^Microsoft\.NETCore\.App (\S+) \[(.+)\]$/gm)
  // Without project files, which take longer than the compiler. Nullable warnings are on, as in a new project.
  const flags = ['-nologo', '-noconfig', '-nostdlib', '-nullable:enable', '-warnaserror', '@references.rsp']
  const csc = join(home, 'Roslyn', 'bincore', 'csc.dll')
  if (!existsSync(csc)) throw new Error(`${csc} is not there`)
  return {
    program: 'dotnet',
    version,
    compilers: (folder, names) => {
      const libraries = readdirSync(runtime).filter((file) => file.endsWith('.dll'))
      writeFileSync(join(folder, 'references.rsp'), libraries.map((file) => `-r:"${join(runtime, file)}"`).join('\n'))
      return names.map((name) => ['dotnet', ['exec', csc, ...flags, `-out:${name}.dll`, `${name}.cs`]])
    },
  }
}

function fromPackages(home: string): Dotnet | undefined {
  const [root] = globSync(join(home, RUNTIME))
  const [framework] = root === undefined ? [] : globSync(join(root, 'shared', FRAMEWORK, '*'))
  if (root === undefined || framework === undefined) return undefined
  const csc = [fileHere('csc.py'), join(home, ROSLYN), root]
  return {
    program: join(root, 'dotnet'),
    version: framework.slice(dirname(framework).length + 1),
    // All at once: starting the compiler takes longer than compiling.
    compilers: (folder, names) => [[join(home, PYTHON), [...csc, ...names.map((name) => join(folder, `${name}.cs`))]]],
  }
}
