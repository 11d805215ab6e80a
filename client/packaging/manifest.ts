import { fileURLToPath } from 'node:url'

/**
 * The manifest that lies in the repository: its exports are the TypeScript sources, so that nothing need be built to
 * run anything.
 */
export const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url))
/** Where that one is kept while the published one lies in its place. */
export const KEPT = `${MANIFEST}.kept`

interface Manifest {
  readonly scripts: unknown
  readonly publishConfig: { readonly access: string }
}

/**
 * The manifest that users get: `publishConfig` says what is different there, and tools of the repository are left out.
 */
export function publishedManifest(text: string): string {
  const {
    scripts: _scripts,
    publishConfig: { access, ...published },
    ...manifest
  } = JSON.parse(text) as Manifest
  return `${JSON.stringify({ ...manifest, ...published, publishConfig: { access } }, undefined, 2)}\n`
}
