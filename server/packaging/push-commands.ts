import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where images are pushed to. */
const REGISTRY = 'ghcr.io/malipo'

interface Layout {
  readonly manifests: readonly { readonly annotations?: Readonly<Record<string, string>> }[]
}

/** What a person types to publish what lies in dist/: nothing else leaves the machine. */
export function pushCommands(root: string, version: string, isDry: boolean): string {
  const packages = readdirSync(join(root, 'dist/packages')).toSorted()
  const digests = readFileSync(join(root, 'dist/release/SHA256SUMS'), 'utf8').trim().split('\n').length
  return `
${isDry ? `A dry run of ${version}: built, and neither committed nor tagged` : `${version} is committed and tagged`}. ${digests} files:
  (cd dist && sha256sum --check release/SHA256SUMS)

${isDry ? 'A release is published by' : 'Publish it by'}
  git push --atomic origin main v${version}
which has .github/workflows/release.yml build and publish the same. At another host:
${[...packages.map((file) => `npm publish --access public ./dist/packages/${file}`), ...imagesToCopy(root, version)]
  .map((command) => `  ${command}\n`)
  .join('')}
Afterwards PUBLISHED in openapi/packages.ts becomes true; npm run generate moves all pages to the registry.`
}

/** The images of the OCI layout under their tags, all platforms of each in one command. */
function imagesToCopy(root: string, version: string): string[] {
  const index = join(root, 'dist/images/oci/index.json')
  if (!existsSync(index)) return []
  const { manifests } = JSON.parse(readFileSync(index, 'utf8')) as Layout
  const tags = manifests.flatMap(({ annotations }) => annotations?.['org.opencontainers.image.ref.name'] ?? [])
  return tags
    .filter((tag) => tag.endsWith(`-${version}`))
    .map(
      (tag) => `skopeo copy --all oci:dist/images/oci:${tag} docker://${REGISTRY}/${tag.replace(/-([^-]+)$/, ':$1')}`,
    )
}
