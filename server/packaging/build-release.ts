// Builds what a release publishes, from the commit that is checked out: `npm run release` calls it in a clone of its
// own, the workflow of a tag in its checkout. The same commit gives the same bytes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders and files of dist/ that a release has. */
export const BUILT = ['packages', 'images', 'sbom.cdx.json', 'release'] as const

/** A program ended with an error; its output was shown, or is in the message. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

/** @returns what the program prints, unless that is shown. @throws StepFailed */
export function run(
  cwd: string,
  command: readonly string[],
  { env = {}, shown = false }: { readonly env?: NodeJS.ProcessEnv; readonly shown?: boolean } = {},
): string {
  const [program = '', ...args] = command
  // npm tells its scripts of the folder that it runs in: another one's npm would take it for its own.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_local|package|lifecycle)|^INIT_CWD$/.test(name),
  )
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return (stdout ?? '').trim()
  const why = error?.message ?? `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-20).join('\n')
  throw new StepFailed(`${command.join(' ')} failed${why === '' ? '' : `:\n${why}`}`)
}

/**
 * Packages, images, SBOM and their digests in dist/ of a clone, whose packages are installed.
 * @throws StepFailed
 */
export function buildRelease(root: string): void {
  const dist = join(root, 'dist')
  for (const name of BUILT) rmSync(join(dist, name), { recursive: true, force: true })
  // What writes a time takes the commit's (reproducible-builds.org).
  const env = { SOURCE_DATE_EPOCH: run(root, ['git', 'log', '-1', '--format=%ct']) }
  // Images are built from the packages, which their script packs first.
  for (const script of ['images', 'sbom']) run(root, ['npm', 'run', '--silent', script], { env, shown: true })
  mkdirSync(join(dist, 'release'), { recursive: true })
  writeFileSync(join(dist, 'release/SHA256SUMS'), digestsIn(dist))
}

/** As `sha256sum --check` reads them in dist/. */
function digestsIn(dist: string): string {
  const files = BUILT.flatMap((name) =>
    existsSync(join(dist, name)) ? globSync([name, `${name}/**`], { cwd: dist }) : [],
  )
  return files
    .filter((file) => statSync(join(dist, file)).isFile())
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(dist, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildRelease(fileURLToPath(new URL('../..', import.meta.url)))
