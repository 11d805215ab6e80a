// `npm run sbom`: writes dist/sbom.cdx.json, or the file that is named: what runs in production, as installed here, in
// CycloneDX.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Bom {
  serialNumber?: string
  readonly metadata: { timestamp: string; readonly component: { readonly 'bom-ref': string; name: string } }
  components: readonly { readonly 'bom-ref': string }[]
  dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string; readonly dev?: boolean }>
  >
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (name: string): unknown => JSON.parse(readFileSync(resolve(root, name), 'utf8'))

/**
 * Everything in the lock file: of what is installed npm misses the nightly run's tools. Its own `--omit dev` also drops
 * what tools need as well (ajv, pg-protocol); the lock file marks what only they need.
 */
function listLocked(): Bom {
  const args = [
    'sbom',
    '--package-lock-only',
    '--include=peer',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
  ]
  // npm names its own file to scripts: on Windows its program is not one that could be started without a shell.
  const npm = process.env['npm_execpath']
  const [program, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const { status, stdout, stderr } = spawnSync(program ?? 'npm', [...before, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`)
  return JSON.parse(stdout) as Bom
}

const [file = 'dist/sbom.cdx.json'] = process.argv.slice(2)
if (file.startsWith('-')) {
  console.log('npm run sbom [-- file]: writes what runs in production, as installed here; default dist/sbom.cdx.json')
  process.exit(file === '--help' ? 0 : 2)
}
const bom = listLocked()
const running = new Set([bom.metadata.component['bom-ref']])
for (const [path, { name, version, dev }] of Object.entries((read('package-lock.json') as Lock).packages))
  if (dev !== true && existsSync(resolve(root, path)))
    running.add(`${name ?? path.replace(/^.*node_modules\//, '')}@${version}`)
const runs = (ref: string): boolean => running.has(ref)

// npm names the root by its folder, which may be anything.
bom.metadata.component.name = (read('package.json') as { readonly name: string }).name
bom.components = bom.components.filter((component) => runs(component['bom-ref']))
bom.dependencies = bom.dependencies
  .filter(({ ref }) => runs(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(runs) }))

// The same release has the same list: a time from its commit, and no number that is drawn.
const epoch = process.env['SOURCE_DATE_EPOCH']
if (epoch !== undefined) {
  bom.metadata.timestamp = new Date(Number(epoch) * 1000).toISOString()
  delete bom.serialNumber
}

mkdirSync(dirname(resolve(root, file)), { recursive: true })
writeFileSync(resolve(root, file), `${JSON.stringify(bom, undefined, 2)}\n`)
console.log(file)
