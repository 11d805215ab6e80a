import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

interface Manifest {
  readonly scripts: unknown
  readonly publishConfig: { readonly access: string }
}

/**
 * The manifest that lies in the repository: its exports are the TypeScript sources, so that nothing need be built to
 * run anything. While a package is packed the published one lies in its place.
 */
export function manifestAt(path: string): { publish(): void; putBack(): void } {
  const kept = `${path}.kept`
  return {
    publish() {
      const ours = readFileSync(path, 'utf8')
      writeFileSync(kept, ours)
      writeFileSync(path, publishedManifest(ours))
    },
    // Also what was left by a run that was stopped in the middle: the manifest in its place is the published one.
    putBack() {
      if (existsSync(kept)) renameSync(kept, path)
    },
  }
}

/**
 * The manifest that users get: `publishConfig` says what is different there, and tools of the repository are left out.
 */
function publishedManifest(text: string): string {
  const {
    scripts: _scripts,
    publishConfig: { access, ...published },
    ...manifest
  } = JSON.parse(text) as Manifest
  return `${JSON.stringify({ ...manifest, ...published, publishConfig: { access } }, undefined, 2)}\n`
}
