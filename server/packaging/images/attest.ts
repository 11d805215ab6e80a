import { createHash } from 'node:crypto'
import type { DebianPackage } from './debian.ts'
import type { Descriptor } from './layout.ts'

export const SBOM = 'application/vnd.cyclonedx+json'
export const PROVENANCE = 'application/vnd.in-toto+json'
const PLACE = 'https://github.com/malipo/malipo/tree/main/server/packaging/images'

/** An image of one platform, and what is in it. */
export interface Contents {
  readonly name: string
  readonly version: string
  readonly arch: string
  readonly node: string
  readonly created: string
  readonly debian: readonly DebianPackage[]
  /** CycloneDX, of npm. */
  readonly npm: Record<string, unknown>
}

/** CycloneDX of all that is in an image: Debian's packages, Node, and what npm installed. */
export function listContents({ name, version, arch, node, created, debian, npm }: Contents): Record<string, unknown> {
  const { metadata, components } = npm as { metadata: { component: object }; components: readonly object[] }
  const system = debian.map((each) => {
    const purl = `pkg:deb/debian/${each.name}@${encodeURIComponent(each.version)}?arch=${each.arch}&distro=debian-13`
    const hashes = [{ alg: 'SHA-256', content: each.sha256 }]
    return { 'bom-ref': purl, type: 'library', name: each.name, version: each.version, purl, hashes }
  })
  const runtime = { 'bom-ref': `node@${node}`, type: 'platform', name: 'node', version: node }
  const bom = {
    ...npm,
    metadata: {
      ...metadata,
      timestamp: created,
      component: { ...metadata.component, type: 'container', name, version },
    },
    components: [...system, { ...runtime, purl: `pkg:generic/node@${node}?arch=${arch}` }, ...components],
  }
  const hex = createHash('sha256')
    .update(JSON.stringify({ ...bom, serialNumber: '' }))
    .digest('hex')
  const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
  return { ...bom, serialNumber: `urn:uuid:${uuid}` }
}

/** What an image was made of. */
export interface Build {
  readonly image: string
  readonly version: string
  readonly subjects: readonly Descriptor[]
  readonly revision: string
  /** SHA-256 of each file that went in, by its name. */
  readonly inputs: Readonly<Record<string, string>>
  readonly debian: readonly DebianPackage[]
  readonly epoch: number
}

const sha256 = (digest: string): { readonly sha256: string } => ({ sha256: digest.replace('sha256:', '') })

/** An in-toto statement with SLSA's provenance: without times, so that a second build states the same. */
export function stateProvenance({ image, version, subjects, revision, inputs, debian, epoch }: Build): object {
  const files = Object.entries(inputs).map(([name, digest]) => ({ name, digest: sha256(digest) }))
  const system = debian.map((each) => ({
    uri: `pkg:deb/debian/${each.name}@${encodeURIComponent(each.version)}?arch=${each.arch}`,
    digest: sha256(each.sha256),
  }))
  const source = { uri: 'git+https://github.com/malipo/malipo', digest: { gitCommit: revision } }
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ digest }) => ({ name: image, digest: sha256(digest) })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: PLACE,
        externalParameters: { command: 'npm run images', version },
        internalParameters: { SOURCE_DATE_EPOCH: epoch },
        resolvedDependencies: [source, ...files, ...system],
      },
      runDetails: { builder: { id: `${PLACE}/build.ts` } },
    },
  }
}
