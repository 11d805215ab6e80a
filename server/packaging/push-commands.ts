import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { IMAGES, REGISTRY } from './images/table.ts'

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

/** The images of the OCI layout, each with its platforms, SBOM and provenance. */
const imagesToCopy = (root: string, version: string): string[] =>
  existsSync(join(root, 'dist/images/oci'))
    ? IMAGES.map(
        ({ name }) => `oras cp -r --from-oci-layout dist/images/oci:${name}-${version} ${REGISTRY}/${name}:${version}`,
      )
    : []
