// Builds dist/: the entries and the command, each one file with all that it needs but esbuild, and their types. Run by
// `npm pack` and `npm run build -w @malipo/rail`.
import { chmodSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as esbuild, type Plugin } from 'esbuild'
import { compile, publishTypes } from '../../../../client/packaging/compile.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const dist = join(folder, 'dist')
const root = resolve(folder, '../../..')

/** Packages of the gateway's server that the kit imports in passing: dropped where nothing of them is used. */
const withoutServer: Plugin = {
  name: 'without-server',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /^(fastify|pino|prom-client|rate-limiter-flexible|@opentelemetry\/.*)$/ }, async (given) => {
      if (given.pluginData === withoutServer) return undefined
      const { kind, importer, resolveDir } = given
      const { path } = await find(given.path, { kind, importer, resolveDir, pluginData: withoutServer })
      return { path, sideEffects: false }
    })
  },
}

/** Rebuilds dist/. @throws Error with the messages of the bundler or the compiler */
export async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true })
  const inputs = [
    ...(await bundled(['index.ts', 'kit.ts'])),
    // Some of the packages within are CommonJS, and require modules of Node.
    ...(await bundled(
      ['cli.ts'],
      "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    )),
  ]
  chmodSync(join(dist, 'cli.js'), 0o755)
  writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(inputs))
  compile(join(folder, 'tsconfig.build.json'))
  keepTypes(['index.d.ts', 'kit.d.ts'].map((name) => join(dist, 'types/server/rails/package', name)))
}

/** @returns the files that went in */
async function bundled(entries: readonly string[], banner = ''): Promise<readonly string[]> {
  const { metafile } = await esbuild({
    entryPoints: entries.map((entry) => join(folder, entry)),
    absWorkingDir: root,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['esbuild'],
    plugins: [withoutServer],
    banner: { js: banner },
    metafile: true,
    logLevel: 'silent',
  })
  return Object.keys(metafile.inputs)
}

/** The licences of the packages that lie in dist/. */
function licensesOf(inputs: readonly string[]): string {
  const packages = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []))
  return [...packages]
    .toSorted()
    .map((path) => {
      const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, path) })
      const text = file === undefined ? 'see its package.json' : readFileSync(join(root, path, file), 'utf8')
      return `${path.replace(/^.*node_modules\//, '')}\n\n${text}`
    })
    .join('\n----\n\n')
}

/** Removes the types that no entry needs, and makes the others usable without this tree. */
function keepTypes(entries: readonly string[]): void {
  const kept = new Set<string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (kept.has(path)) continue
    kept.add(path)
    const from = dirname(path)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g))
      waiting.push(join(from, name.replace(/(\.d)?\.ts$/, '.d.ts')))
  }
  for (const path of globSync('types/**/*.d.ts', { cwd: dist }).map((name) => join(dist, name)))
    if (kept.has(path)) publishTypes(path)
    else rmSync(path)
  for (const path of kept) if (!existsSync(path)) throw new Error(`${path} is imported by a type, and was not built`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
