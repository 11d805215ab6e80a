import { chmodSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What npm puts into every tarball, and what was built. */
const PACKED = ['package.json', 'LICENSE', '*.md', 'dist/**/*']

/** Gives every file that is packed the same rights, whoever builds it: they are part of the tarball. */
export function settleModes(folder: string): void {
  for (const name of globSync(PACKED, { cwd: folder })) {
    const path = join(folder, name)
    if (statSync(path).isFile()) chmodSync(path, 0o644)
  }
}
