// The lowest layer: libraries of Debian's packages, at the versions and digests of debian.lock. Nothing that could be
// run but `dash`, which PostgreSQL's initdb needs.
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.ts'
import { PLATFORMS, USER, type Platform } from './table.ts'

export interface DebianPackage {
  readonly name: string
  readonly version: string
  readonly arch: string
  readonly sha256: string
}

const NAMES = ['base-files', 'dash', 'gcc-14-base', 'libc6', 'libgcc-s1', 'libstdc++6']
/** The same on each architecture. */
const DATA = ['ca-certificates', 'tzdata']
/** Of the packages: programs, and what only developers and readers need. */
const EXCLUDED = [
  'usr/{bin,sbin}/!(dash|sh)',
  'usr/lib/*/{gconv,audit}',
  'usr/share/{man,lintian,gdb,gcc,base-files,bug,locale}',
  'usr/share/doc/*/!(copyright)',
  'etc/{update-motd.d,profile.d,skel,default,dpkg,issue*}',
]
const LOCK = fileURLToPath(new URL('debian.lock', import.meta.url))
const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** What debian.lock pins. */
const locked = (): readonly DebianPackage[] =>
  readFileSync(LOCK, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', arch = '', digest = ''] = line.split(' ')
      return { name, version, arch, sha256: digest }
    })

/** Where packages come from: `DEBIAN_MIRROR`, or the mirror of this machine. It ends before `/debian`. */
function mirror(): string {
  const given = process.env['DEBIAN_MIRROR']
  if (given !== undefined) return given.replace(/\/$/, '')
  const sources = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages', 'Origin: Debian'])
  const found = sources.split('\n').find((uri) => uri.endsWith('/debian/'))
  if (found === undefined)
    throw new Error(
      'This machine has no packages of Debian: name a mirror of it, as DEBIAN_MIRROR=http://mirror.example',
    )
  return found.slice(0, -'/debian/'.length)
}

/** Lets apt-get download into a folder, with lists of its own: the machine's release and packages play no part. */
function download(cache: string, folder: string, packages: readonly string[]): void {
  const apt = join(cache, 'apt')
  const server = mirror()
  for (const each of ['lists/partial', 'archives/partial']) mkdirSync(join(apt, each), { recursive: true })
  const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  writeFileSync(join(apt, 'status'), '')
  writeFileSync(
    join(apt, 'sources.list'),
    `deb ${signed} ${server}/debian trixie main\ndeb ${signed} ${server}/debian-security trixie-security main\n`,
  )
  const settings = {
    'Dir::State': apt,
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': apt,
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'APT::Architectures': PLATFORMS.map(({ arch }) => arch).join(','),
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '1',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  run('apt-get', [...options, '-qq', 'update'])
  run('apt-get', [...options, '-qq', 'download', ...packages], folder)
}

/** Writes today's versions into debian.lock. */
export function updateDebian(cache: string): void {
  const folder = mkdtempSync(join(cache, 'debian-'))
  const ofEach = PLATFORMS.flatMap(({ arch }) => NAMES.map((name) => `${name}:${arch}`))
  download(cache, folder, [...ofEach, ...DATA])
  const lines = globSync('*.deb', { cwd: folder }).map((file) => {
    const show = run('dpkg-deb', ['-W', '--showformat=${Package} ${Version} ${Architecture}', join(folder, file)])
    return `${show} ${sha256(join(folder, file))}`
  })
  writeFileSync(LOCK, `${lines.toSorted().join('\n')}\n`)
  rmSync(folder, { recursive: true })
}

/** The files of what is pinned, by digest. A mirror drops old versions. */
function fetchPinned(cache: string, { arch }: Platform): ReadonlyMap<DebianPackage, string> {
  const wanted = locked().filter((each) => each.arch === arch || each.arch === 'all')
  const fileOf = (each: DebianPackage): string => join(cache, `${each.sha256}.deb`)
  const missing = wanted.filter((each) => !existsSync(fileOf(each)))
  if (missing.length > 0) {
    const folder = mkdtempSync(join(cache, 'debian-'))
    const specs = missing.map((each) => `${each.name}${each.arch === 'all' ? '' : `:${each.arch}`}=${each.version}`)
    try {
      download(cache, folder, specs)
    } catch (cause) {
      throw new Error('The mirror does not have what debian.lock pins: npm run images -- --update-debian', { cause })
    }
    for (const file of globSync('*.deb', { cwd: folder }))
      copyFileSync(join(folder, file), join(cache, `${sha256(join(folder, file))}.deb`))
    rmSync(folder, { recursive: true })
    const other = missing.filter((each) => !existsSync(fileOf(each)))
    if (other.length > 0) throw new Error(`Not as debian.lock has it: ${other.map(({ name }) => name).join(', ')}`)
  }
  return new Map(wanted.map((each) => [each, fileOf(each)]))
}

/** Unpacks Debian's part of the image into a new folder, with dpkg's record of it. @returns what is in it */
export function unpackDebian(folder: string, cache: string, platform: Platform): readonly DebianPackage[] {
  mkdirSync(cache, { recursive: true })
  const files = fetchPinned(cache, platform)
  for (const file of files.values()) run('dpkg-deb', ['-x', file, folder])
  for (const path of globSync(EXCLUDED, { cwd: folder })) rmSync(join(folder, path), { recursive: true })
  const path = (name: string): string => join(folder, name)
  for (const file of files.values())
    appendFileSync(path('var/lib/dpkg/status'), `${run('dpkg-deb', ['-f', file])}Status: install ok installed\n\n`)
  mkdirSync(path('etc/ssl/certs'), { recursive: true })
  for (const name of globSync('usr/share/ca-certificates/**/*.crt', { cwd: folder }).toSorted())
    appendFileSync(path('etc/ssl/certs/ca-certificates.crt'), readFileSync(path(name)))
  writeFileSync(path('etc/passwd'), `malipo:x:${USER}:${USER}:Malipo:/data:/usr/sbin/nologin\n`)
  writeFileSync(path('etc/group'), `malipo:x:${USER}:\n`)
  writeFileSync(path('etc/nsswitch.conf'), 'hosts: files dns\n')
  return [...files.keys()]
}
