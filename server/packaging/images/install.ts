import { mkdirSync, readFileSync, renameSync, rmSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { present } from '../../domain/present.ts'
import { run } from './run.ts'
import type { Platform } from './table.ts'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<Record<string, { readonly link?: true; readonly dev?: boolean }>>
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

/** Unpacks a tarball of `npm pack` into a new folder, and installs what it needs on the platform. */
export function installTarball(tarball: string, folder: string, platform: Platform): void {
  mkdirSync(folder, { recursive: true })
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', folder])
  const file = join(folder, 'package.json')
  const manifest = readFileSync(file)
  installLocked(read(file) as Manifest, folder, platform)
  writeFileSync(file, manifest)
}

/** Installs Node of the version that the repository has. @returns its version */
export function installNode(folder: string, platform: Platform): string {
  const name = `node-linux-${platform.cpu}`
  const { optionalDependencies = {} } = read(join(root, 'package.json')) as Manifest
  const version = present(optionalDependencies[name], name)
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true })
  mkdirSync(join(folder, 'usr/share/doc/node'), { recursive: true })
  const install = join(folder, 'install')
  mkdirSync(install)
  installLocked({ name: 'node-alone', version, optionalDependencies: { [name]: version } }, install, platform)
  const installed = join(install, 'node_modules', name)
  renameSync(join(installed, 'bin/node'), join(folder, 'usr/local/bin/node'))
  renameSync(join(installed, 'LICENSE'), join(folder, 'usr/share/doc/node/copyright'))
  rmSync(install, { recursive: true })
  return version
}

/** By npm, each package at the version and digest that the repository's lock file has, and what runs alone. */
function installLocked(manifest: Manifest, folder: string, { cpu }: Platform): void {
  const { optionalDependencies = {} } = manifest
  const wanted = {
    ...manifest,
    optionalDependencies: Object.fromEntries(
      Object.entries(optionalDependencies).filter(([name]) => name.endsWith(`linux-${cpu}`)),
    ),
  }
  const { packages } = read(join(root, 'package-lock.json')) as Lock
  const kept = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
  // To the repository some of them are tools of developers.
  const listed = Object.fromEntries(kept.map(([path, entry]) => [path, { ...entry, dev: undefined }]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages: { '': wanted, ...listed } }),
  )
  const silent = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  run('npm', ['ci', '--omit=dev', '--os=linux', '--libc=glibc', `--cpu=${cpu}`, ...silent], folder)
}

/** What is installed in a folder, in CycloneDX. Called before `strip`. */
export const listInstalled = (folder: string): Record<string, unknown> =>
  JSON.parse(run('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx'], folder)) as Record<string, unknown>

/** Removes what only compilers, debuggers and npm read. */
export function strip(folder: string): void {
  const useless = ['**/*.{map,a}', '**/*.d.{ts,mts,cts}', '.package-lock.json', '.bin', '**/native/lib/pkgconfig']
  for (const path of globSync(useless, { cwd: join(folder, 'node_modules') }))
    rmSync(join(folder, 'node_modules', path), { recursive: true, force: true })
  rmSync(join(folder, 'package-lock.json'))
}
