// `npm run pack`: writes the tarball of each package that people install into dist/packages/.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PACKAGES, tarballOf } from '../../openapi/packages.ts'
import { buildPackage } from './build.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Packs the packages, or some of them, into a folder. @throws Error with what npm says */
export async function packInto(folder: string, packages = PACKAGES): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const { name, built, directory } of packages) {
    const from = join(root, directory)
    if (built) {
      rmSync(from, { recursive: true, force: true })
      await buildPackage(name, from)
    }
    const args = ['pack', '--silent', '--pack-destination', folder]
    // npm is a script of cmd.exe on Windows.
    const { status, stderr } = spawnSync('npm', args, {
      cwd: from,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    if (status !== 0) throw new Error(`${name} cannot be packed:\n${stderr}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await packInto(join(root, 'dist/packages'))
  for (const each of PACKAGES) console.log(`dist/packages/${tarballOf(each)}`)
}
