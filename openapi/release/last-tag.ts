import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A contract has about half of it. */
const BYTES_MAX = 16 * 1024 * 1024

/**
 * The last release by its tag: `v0.3.0`. Undefined before the first one, and in a copy without history.
 * @param before the release that came before this commit; one on the commit itself counts
 */
export const lastTag = (before = 'HEAD', folder = ROOT): string | undefined =>
  git(folder, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*.[0-9]*.[0-9]*', before)?.trim()

/** A file as it was at a commit or tag. Undefined: there was none. */
export const fileAtTag = (tag: string, path: string, folder = ROOT): string | undefined =>
  git(folder, 'show', `${tag}:${path}`)

/** The files under a path that were changed or removed since a tag, also without a commit. */
export const changedSince = (tag: string, path: string, folder = ROOT): readonly string[] =>
  git(folder, 'diff', '--name-only', '--no-renames', '--diff-filter=a', tag, '--', path)?.split('\n').filter(Boolean) ??
  []

function git(cwd: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: BYTES_MAX })
  return status === 0 ? stdout : undefined
}
