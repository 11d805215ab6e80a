import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { lastTag } from '../../../openapi/release/last-tag.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MIGRATIONS = 'server/storage/migrations'
/** What a server needs besides its packages. */
const PARTS = ['server', 'openapi', 'generated', 'client', 'package.json'] as const

/** Another release, in a folder of its own, with the packages of this checkout. */
export interface ReleaseTree {
  /** Its command line. */
  readonly cli: string
  addMigration(name: string, sql: string): Promise<void>
  remove(): Promise<void>
}

/** This checkout as the next release: tests may add migrations to it. */
export function treeOfToday(): Promise<ReleaseTree> {
  const filter = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path))
  return treeIn(async (folder) => {
    for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true, filter })
  })
}

/**
 * A commit in its original state.
 * @throws Error when the history does not go back that far
 */
export function treeOfCommit(commit: string): Promise<ReleaseTree> {
  return treeIn(async (folder) => {
    const tar = join(folder, 'tree.tar')
    await git('archive', '--output', tar, commit, ...PARTS)
    await promisify(execFile)('tar', ['-xf', tar, '-C', folder])
    await rm(tar)
  })
}

async function treeIn(fill: (folder: string) => Promise<void>): Promise<ReleaseTree> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-release-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await fill(folder)
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  } catch (error) {
    await remove()
    throw error
  }
  return {
    cli: join(folder, 'server/cli.ts'),
    addMigration: (name, sql) => writeFile(join(folder, MIGRATIONS, name), sql),
    remove,
  }
}

interface EarlierState {
  /** Its name for people. */
  readonly name: string
  readonly commit: string
  /** Its migrations. Absent: the history of this checkout does not go back that far. */
  readonly migrations: readonly string[] | undefined
}

/**
 * The release before this one, by its tag. Before the first tag: what server/storage/last-release.json names, and a
 * state between the two as long as a migration that requires downtime lies between them.
 */
export async function earlierStates(): Promise<readonly EarlierState[]> {
  const tag = lastTag('HEAD^')
  if (tag !== undefined) return [{ name: tag, commit: tag, migrations: await migrationsOf(tag) }]
  const { version, commit, between } = JSON.parse(
    await readFile(join(ROOT, 'server/storage/last-release.json'), 'utf8'),
  ) as { readonly version: string; readonly commit: string; readonly between?: string }
  const states = [{ name: version, commit }, ...(between ? [{ name: 'a state since then', commit: between }] : [])]
  return Promise.all(states.map(async (state) => ({ ...state, migrations: await migrationsOf(state.commit) })))
}

async function migrationsOf(commit: string): Promise<readonly string[] | undefined> {
  const listed = await git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`).catch(() => undefined)
  return listed
    ?.trim()
    .split('\n')
    .map((path) => basename(path))
}

const git = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)('git', ['-C', ROOT, ...args])).stdout
