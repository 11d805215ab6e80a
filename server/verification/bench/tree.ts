import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withReason } from '../testing/staff-reason.ts'
import { onCleanUp, PROJECT_ROOT } from './processes.ts'

/** A state of the source, whose gateway is measured. */
export interface Tree {
  readonly name: string
  readonly root: string
  /** Turns a command of today into the one of this tree. */
  readonly commandOf: (args: readonly string[]) => readonly string[]
}

/** Forms of the command line, newest first: the first whose file the tree has. `serve` never changed. */
const FORMS: readonly { readonly file: string; readonly commandOf: Tree['commandOf'] }[] = [
  { file: 'server/admin/cli/staff-action.ts', commandOf: withReason },
  { file: 'server/cli/staff-action.ts', commandOf: withReason },
  // Before staff actions were recorded, no command took a reason.
  { file: 'server/cli.ts', commandOf: (args) => args },
]

const treeIn = (root: string, name: string): Tree => {
  const form = FORMS.find(({ file }) => existsSync(join(root, file)))
  if (!form) throw new Error(`${name} has no command line that this bench knows`)
  return { name, root, commandOf: form.commandOf }
}

/** The tree that this bench belongs to. */
export const TODAY = treeIn(PROJECT_ROOT, 'today')

const run = (command: string, args: readonly string[], cwd = PROJECT_ROOT) =>
  promisify(execFile)(command, args, { cwd })

/**
 * Checks a commit out beside this tree until the bench ends. It gets its own packages when its lock file differs.
 * @throws Error when there is no such commit
 */
export async function checkOut(ref: string, step: (text: string) => void): Promise<Tree> {
  const { stdout } = await run('git', ['rev-parse', '--verify', '--short=10', `${ref}^{commit}`]).catch(
    (cause: unknown) => Promise.reject(new Error(`there is no commit ${ref} here`, { cause })),
  )
  const commit = stdout.trim()
  const folder = await mkdtemp(join(tmpdir(), 'malipo-bench-'))
  const root = join(folder, commit)
  onCleanUp(async () => {
    await run('git', ['worktree', 'remove', '--force', root]).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  })
  step(`checking out ${commit}`)
  await run('git', ['worktree', 'add', '--detach', root, commit])
  const lockFileIn = (tree: string) => readFile(join(tree, 'package-lock.json'), 'utf8')
  if ((await lockFileIn(root)) === (await lockFileIn(PROJECT_ROOT)))
    await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'))
  else {
    step('npm ci: its lock file differs')
    // Scripts would build the docs and unpack a PostgreSQL: the measured gateway uses ours.
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], root)
  }
  return treeIn(root, ref === commit ? ref : `${ref} (${commit})`)
}
