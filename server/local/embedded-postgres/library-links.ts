import { readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

interface LibraryLink {
  /** The library, from the package's folder. */
  readonly source: string
  /** A name under which programs look for it. */
  readonly target: string
}

/**
 * Makes the links that npm cannot pack, and without which PostgreSQL finds no libraries. The package's own install
 * script makes them, too, but npm 12 runs it only with the user's approval, and `--ignore-scripts` never does.
 * @param folder of the platform's package
 */
export async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as readonly LibraryLink[])
    // There already, or a folder that belongs to somebody else: then PostgreSQL itself says what it misses.
    await symlink(relative(dirname(target), source), join(folder, target)).catch(() => undefined)
}
