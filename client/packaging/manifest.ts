import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

interface Manifest {
  readonly scripts: unknown
  readonly publishConfig: { readonly access: string }
}

/**
 * The manifest in the repository: its exports are the TypeScript sources, so that nothing needs a build to run. While
 * a package is packed, the published manifest replaces it.
 */
export function manifestAt(path: string): { publish(): void; putBack(): void } {
  const kept = `${path}.kept`
  return {
    publish() {
      const ours = readFileSync(path, 'utf8')
      writeFileSync(kept, ours)
      writeFileSync(path, publishedManifest(ours))
    },
    // This includes the leftovers of an interrupted run: then the published manifest is in its place.
    putBack() {
      if (existsSync(kept)) renameSync(kept, path)
    },
  }
}

/** The manifest for users: `publishConfig` overrides fields, and tools of the repository are removed. */
function publishedManifest(text: string): string {
  const {
    scripts: _scripts,
    publishConfig: { access, ...published },
    ...manifest
  } = JSON.parse(text) as Manifest
  return `${JSON.stringify({ ...manifest, ...published, publishConfig: { access } }, undefined, 2)}\n`
}
