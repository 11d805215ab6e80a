import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const PATH = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)

/**
 * Runs a program with the tools of the repository on its path.
 * @returns its output
 * @throws Error with all of its output
 */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      cwd,
      // Without the environment of the npm that runs these tests: merchants' npm uses the Node in their PATH.
      env: { ...process.env, PATH, NO_COLOR: '1', npm_config_user_agent: undefined },
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const said =
      error instanceof Error && 'stdout' in error && 'stderr' in error ? [error.stdout, error.stderr] : [error]
    throw new Error(`${command} ${args.join(' ')} failed:\n${said.map(String).join('')}`, { cause: error })
  }
}

/** The packed package, with a folder for its users. */
export interface PackedClient extends PackedFiles {
  /** Makes a project that has installed the tarball, and returns its folder. */
  readonly install: (name: string) => Promise<string>
  readonly remove: () => Promise<void>
}

interface PackedFiles {
  /** The packed files: a copy of this folder. */
  readonly copy: string
  readonly tarball: string
}

/**
 * Packs a copy with `npm pack`, so that concurrent tests never see the manifest for users in the repository.
 * @param packageFolder in the repository
 * @param reached what it is built from besides its folder
 */
export async function pack(packageFolder = 'client', reached: readonly string[] = []): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-package-'))
  return withProjects(await packInto(folder, packageFolder, reached), folder)
}

/** The client, packed by the first test file of the run that needs it: that takes seconds. Nobody changes the copy. */
export async function packOnce(): Promise<PackedClient> {
  const shared = join(inject('runFolder'), 'client')
  const outcome = `${shared}.json`
  // Only one process can make the folder.
  if (
    await mkdir(shared).then(
      () => true,
      () => false,
    )
  ) {
    const packed = await packInto(shared, 'client', []).catch((error: unknown) => ({ failed: String(error) }))
    await writeFile(`${outcome}.new`, JSON.stringify(packed))
    await rename(`${outcome}.new`, outcome)
  }
  const deadline = performance.now() + PACK_MS_MAX
  while (!existsSync(outcome)) {
    if (performance.now() > deadline) throw new Error(`the client was not packed within ${PACK_MS_MAX} ms`)
    await setTimeout(POLL_MS)
  }
  const packed = JSON.parse(await readFile(outcome, 'utf8')) as PackedFiles | { readonly failed: string }
  if ('failed' in packed) throw new Error(packed.failed)
  return withProjects(packed, await mkdtemp(join(tmpdir(), 'malipo-package-')))
}

const PACK_MS_MAX = 240_000
const POLL_MS = 100

async function packInto(folder: string, packageFolder: string, reached: readonly string[]): Promise<PackedFiles> {
  const copy = join(folder, 'copy')
  for (const name of [packageFolder, ...reached, 'generated', 'tsconfig.json']) {
    const filter = (path: string): boolean => !path.endsWith(`/${packageFolder}/dist`)
    await cp(join(root, name), join(copy, name), { recursive: true, filter })
  }
  await writeFile(join(copy, 'package.json'), '{ "private": true, "type": "module" }')
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const said = await run(
    'npm',
    ['pack', '--json', '--loglevel=error', '--pack-destination', folder],
    join(copy, packageFolder),
  )
  const [{ filename }] = JSON.parse(said) as [{ readonly filename: string }]
  return { copy: join(copy, packageFolder), tarball: join(folder, filename) }
}

/** @param folder of the projects, which is removed with them */
const withProjects = (packed: PackedFiles, folder: string): PackedClient => ({
  ...packed,
  async install(name) {
    const project = join(folder, name)
    await mkdir(project)
    await run('npm', ['init', '-y'], project)
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...options, packed.tarball], project)
    return project
  },
  remove: () => rm(folder, { recursive: true, force: true }),
})
