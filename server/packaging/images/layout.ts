// An OCI layout (https://github.com/opencontainers/image-spec, 1.1): umoci writes layers, configurations and manifests;
// what it cannot write is here: an index of platforms, a health check, and what refers to an image.
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { present } from '../../domain/present.ts'
import { run } from './run.ts'

export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly artifactType?: string
  readonly platform?: { readonly architecture: string; readonly os: string }
  readonly annotations?: Readonly<Record<string, string>>
}
interface Manifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}
interface Index {
  readonly manifests: readonly Descriptor[]
}

const OCI = 'application/vnd.oci'
export const MANIFEST = `${OCI}.image.manifest.v1+json`
const INDEX = `${OCI}.image.index.v1+json`
const REF = 'org.opencontainers.image.ref.name'

export interface Layout {
  readonly path: string
  /** Of every file and document: seconds since 1970. */
  readonly epoch: number
}

export function newLayout(path: string, epoch: number): Layout {
  mkdirSync(dirname(path), { recursive: true })
  run('umoci', ['init', '--layout', path])
  return { path, epoch }
}

const created = ({ epoch }: Layout): string => new Date(epoch * 1000).toISOString().replace('.000', '')
const blob = ({ path }: Layout, digest: string): string => join(path, 'blobs', digest.replace(':', '/'))
const indexOf = ({ path }: Layout): Index => JSON.parse(readFileSync(join(path, 'index.json'), 'utf8')) as Index
const read = (layout: Layout, { digest }: Descriptor): unknown => JSON.parse(readFileSync(blob(layout, digest), 'utf8'))
const image = ({ path }: Layout, tag: string): string => `${path}:${tag}`

/** Begins an image, from nothing or from another one of the layout. */
export function beginImage(layout: Layout, tag: string, from?: string): void {
  if (from === undefined) run('umoci', ['new', '--image', image(layout, tag)])
  else run('umoci', ['tag', '--image', image(layout, from), tag])
}

/** Adds a folder as a layer. The same files make the same layer, whoever owns them, whenever they were written. */
export function addLayer(layout: Layout, tag: string, folder: string, what: string, owner = 0): void {
  const file = `${folder}.tar`
  const same = ['--format=gnu', '--sort=name', `--mtime=@${layout.epoch}`, '--numeric-owner', '--hard-dereference']
  run('tar', ['-cf', file, ...same, `--owner=${owner}`, `--group=${owner}`, '-C', folder, ...readdirSync(folder)])
  const history = [`--history.created=${created(layout)}`, `--history.created_by=${what}`]
  run('umoci', ['raw', 'add-layer', '--image', image(layout, tag), ...history, file])
  rmSync(file)
}

/** @param settings as `umoci config` names them */
export function configure(layout: Layout, tag: string, settings: readonly (readonly [string, string])[]): void {
  const options = settings.map(([name, value]) => `--${name}=${value}`)
  const fixed = ['--no-history', '--created', created(layout), '--image', image(layout, tag)]
  run('umoci', ['config', ...fixed, '--clear=config.cmd', ...options])
}

/** Stores a document. @returns where it is */
export function put(layout: Layout, mediaType: string, document: unknown): Descriptor {
  const content = JSON.stringify(document)
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  writeFileSync(blob(layout, digest), content)
  return { mediaType, digest, size: Buffer.byteLength(content) }
}

/** The manifest of an image, with a health check, of which Docker reads and OCI has none. */
export function finishImage(
  layout: Layout,
  tag: string,
  annotations: Readonly<Record<string, string>>,
  health?: readonly string[],
): Descriptor {
  const found = present(
    indexOf(layout).manifests.find((each) => each.annotations?.[REF] === tag),
    tag,
  )
  const manifest = read(layout, found) as Manifest
  const config = read(layout, manifest.config) as { architecture: string; os: string; config: object }
  const seconds = 1_000_000_000
  const Healthcheck = { Test: health, Interval: 10 * seconds, Timeout: 5 * seconds, StartPeriod: 60 * seconds }
  const changed = health === undefined ? config : { ...config, config: { ...config.config, Healthcheck } }
  const { mediaType } = manifest.config
  const written = { ...manifest, mediaType: MANIFEST, config: put(layout, mediaType, changed), annotations }
  const { architecture, os } = config
  return { ...put(layout, MANIFEST, written), platform: { architecture, os } }
}

export const putIndex = (layout: Layout, manifests: readonly Descriptor[], annotations: object): Descriptor =>
  put(layout, INDEX, { schemaVersion: 2, mediaType: INDEX, manifests, annotations })

/** Stores a document about an image, so that registries list it among the image's referrers. */
export function attach(layout: Layout, about: Descriptor, artifactType: string, document: unknown): Descriptor {
  const { mediaType, digest, size } = about
  const manifest = put(layout, MANIFEST, {
    schemaVersion: 2,
    mediaType: MANIFEST,
    artifactType,
    config: put(layout, `${OCI}.empty.v1+json`, {}),
    layers: [put(layout, artifactType, document)],
    subject: { mediaType, digest, size },
    annotations: { 'org.opencontainers.image.created': created(layout) },
  })
  return { ...manifest, artifactType }
}

export const named = (descriptor: Descriptor, tag: string): Descriptor => ({
  ...descriptor,
  annotations: { [REF]: tag },
})

/** Names what the layout has, and removes all else. */
export function seal(layout: Layout, manifests: readonly Descriptor[]): void {
  const index = { schemaVersion: 2, mediaType: INDEX, manifests }
  writeFileSync(join(layout.path, 'index.json'), JSON.stringify(index))
  const used = new Set(manifests.flatMap((each) => reachable(layout, each)))
  for (const name of readdirSync(join(layout.path, 'blobs/sha256')))
    if (!used.has(`sha256:${name}`)) rmSync(blob(layout, `sha256:${name}`))
}

function reachable(layout: Layout, descriptor: Descriptor): readonly string[] {
  if (descriptor.mediaType !== MANIFEST && descriptor.mediaType !== INDEX) return [descriptor.digest]
  const { config, layers = [], manifests = [] } = read(layout, descriptor) as Partial<Manifest & Index>
  const below = [...(config === undefined ? [] : [config]), ...layers, ...manifests]
  return [descriptor.digest, ...below.flatMap((each) => reachable(layout, each))]
}

/** Writes one image as a file that `docker load`, `podman load` and `ctr image import` read. */
export function exportImage(layout: Layout, found: Descriptor, name: string, file: string): void {
  const { config, layers } = read(layout, found) as Manifest
  const folder = mkdtempSync(`${file}-`)
  const pathOf = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`
  mkdirSync(join(folder, 'blobs/sha256'), { recursive: true })
  for (const each of [found, config, ...layers])
    if (!existsSync(join(folder, pathOf(each)))) linkSync(blob(layout, each.digest), join(folder, pathOf(each)))
  const write = (path: string, document: unknown): void => writeFileSync(join(folder, path), JSON.stringify(document))
  const annotations = { 'io.containerd.image.name': name, [REF]: name.slice(name.lastIndexOf(':') + 1) }
  write('oci-layout', { imageLayoutVersion: '1.0.0' })
  write('index.json', { schemaVersion: 2, mediaType: INDEX, manifests: [{ ...found, annotations }] })
  // Docker without containerd's store reads this one.
  write('manifest.json', [{ Config: pathOf(config), RepoTags: [name], Layers: layers.map(pathOf) }])
  const same = ['--format=gnu', '--sort=name', `--mtime=@${layout.epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  run('tar', ['-cf', file, ...same, '--mode=u=rwX,go=rX', '--hard-dereference', '-C', folder, ...readdirSync(folder)])
  rmSync(folder, { recursive: true })
}
