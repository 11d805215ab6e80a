import { chmodSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The files that npm puts into every tarball, and the build output. */
const PACKED = ['package.json', 'LICENSE', '*.md', 'dist/**/*']

/** Gives every packed file the same permissions, whoever builds it: they are part of the tarball. */
export function settleModes(folder: string, packed: readonly string[] = PACKED): void {
  for (const name of globSync(packed, { cwd: folder })) {
    const path = join(folder, name)
    if (statSync(path).isFile()) chmodSync(path, 0o644)
  }
}
