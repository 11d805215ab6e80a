import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { RailPackageRefused } from './package-refused.ts'
import { kindFrom, PACKAGE_BYTES_MAX, PackageFault } from './packaged-kind.ts'
import { REGISTRY, type KindList, type PackageOrigin } from './registry.ts'

/**
 * Checks and runs each package, and adds its kind; one that this process has already is only checked. Packages have all
 * rights of the gateway: the hash says that it is the file that somebody chose, and nothing else.
 * @throws RailPackageRefused naming the file
 */
export async function addRailPackages(origins: readonly PackageOrigin[], list: KindList = REGISTRY): Promise<void> {
  for (const origin of origins)
    await add(origin, list).catch((error: unknown) => {
      if (!(error instanceof PackageFault)) throw error
      throw new RailPackageRefused(`MALIPO_RAIL_PACKAGES: ${origin.path} ${error.message}`, { cause: error })
    })
}

async function add(origin: PackageOrigin, { kinds, packageOf, ...list }: KindList): Promise<void> {
  const { path, sha256 } = origin
  const bytes = await bytesOf(path)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new PackageFault(`has the SHA-256 ${found}, not ${sha256}: it is not run`)
  const isOf = (known: PackageOrigin | undefined): boolean => known?.path === path && known.sha256 === sha256
  if (kinds.some(({ name }) => isOf(packageOf(name)))) return
  const kind = await kindFrom(bytes, basename(path))
  if (list.railKind(kind.name)) {
    const other = packageOf(kind.name)?.path ?? 'this version of Malipo'
    throw new PackageFault(`has the kind ${kind.name}, which ${other} has already`)
  }
  list.add(kind, origin)
}

async function bytesOf(path: string): Promise<Buffer> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new PackageFault(`cannot be read (${error.code ?? error.name})`)
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile() || stat.size > PACKAGE_BYTES_MAX)
      throw new PackageFault(`is no file of up to ${PACKAGE_BYTES_MAX} bytes`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
