// `npm run release -- minor`: checks, raises the version everywhere, dates the changelog, commits, tags, builds, and
// prints what a person pushes. All of it happens in a clone in a temporary folder, with packages from the lock file;
// this repository gets commit, tag and dist/ at the end, or nothing.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { format, resolveConfig } from 'prettier'
import type { Level } from '../../openapi/release/change.ts'
import { lastTag } from '../../openapi/release/last-tag.ts'
import { nextVersion } from '../../openapi/release/version.ts'
import { BUILT, buildRelease, run, StepFailed } from './build-release.ts'
import { checkTools } from './images/run.ts'
import { pushCommands } from './push-commands.ts'
import { withVersion } from './version.ts'

export interface ReleaseOptions {
  readonly root: string
  /** How far the version goes on from the last release; the gate of the contract refuses less than what changed. */
  readonly level: Level
  /** Of the changelog: `2026-11-28`. */
  readonly date: string
  /** Builds all from the last commit of any branch, runs no tests, and leaves commit, tag and files as they are. */
  readonly isDry: boolean
}

/** @returns the new version. @throws StepFailed; nothing but dist/ was changed then */
export async function release({ root, level, date, isDry }: ReleaseOptions): Promise<string> {
  const refusals = [...(isDry ? [] : refusalsOf(root)), ...emptyChangelog(root)]
  if (refusals.length > 0) throw new StepFailed(refusals.join('\n'))
  const version = nextVersion(lastVersion(root), level)
  const tag = `v${version}`
  const clone = mkdtempSync(join(tmpdir(), 'malipo-release-'))
  try {
    step('clone, and its packages from the lock file')
    run(root, ['git', 'clone', '--quiet', root, clone])
    run(clone, ['npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'])
    step(`version ${version}`)
    await raise(clone, version, date)
    commit(root, clone, { version, date, isDry })
    if (!isDry) {
      step('tests and checks, as CI has them')
      run(clone, ['.ci/run'], { shown: true })
    }
    step('packages, images, SBOM')
    buildRelease(clone)
    bringBack(join(clone, 'dist'), join(root, 'dist'))
    if (!isDry) adopt(root, clone, tag)
    return version
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
}

function bringBack(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of BUILT) {
    rmSync(join(to, name), { recursive: true, force: true })
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true })
  }
}

const step = (name: string): void => console.error(`release: ${name}`)

/** What must be put right first. */
function refusalsOf(root: string): string[] {
  const branch = run(root, ['git', 'branch', '--show-current'])
  const isClean = run(root, ['git', 'status', '--porcelain']) === ''
  return [
    ...(branch === 'main' ? [] : [`this is ${branch === '' ? 'no branch' : `branch ${branch}`}: git switch main`]),
    ...(isClean ? [] : ['files differ from the last commit: commit them, or git stash --include-untracked']),
  ]
}

/** Of the last tag; before the first one the version that openapi/release/released.json records. */
function lastVersion(root: string): string {
  const tag = lastTag('HEAD', root)
  if (tag !== undefined) return tag.slice('v'.length)
  const recorded = readFileSync(join(root, 'openapi/release/released.json'), 'utf8')
  return (JSON.parse(recorded) as { readonly version: string }).version
}

const UNRELEASED = '## Unreleased\n'

/** Dates what is unreleased. @returns undefined when nothing is */
export function datedChangelog(text: string, version: string, date: string): string | undefined {
  const [before = '', ...rest] = text.split(UNRELEASED)
  const [entries = ''] = rest.join(UNRELEASED).split(/^## /m)
  return /^- /m.test(entries) ? `${before}${UNRELEASED}\n## ${version} - ${date}\n${rest.join(UNRELEASED)}` : undefined
}

const emptyChangelog = (root: string): string[] =>
  datedChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), '', '') === undefined
    ? [`CHANGELOG.md has no entry under ${UNRELEASED.trim()}: write what who upgrades must know`]
    : []

/** Writes version and changelogs, what is generated from them, and what the gate compares with from now on. */
async function raise(clone: string, version: string, date: string): Promise<void> {
  for (const file of run(clone, ['git', 'ls-files', '*.md', '*.json', '*.yaml', '*.yml', '*.toml', '*.ts']).split(
    '\n',
  )) {
    const path = join(clone, file)
    const text = readFileSync(path, 'utf8')
    const dated = file.endsWith('CHANGELOG.md') ? datedChangelog(text, version, date) : undefined
    const raised = withVersion(file, dated ?? text, version)
    if (raised === text) continue
    // A longer version may wrap a paragraph in another place.
    const config = { ...(await resolveConfig(path)), filepath: path }
    writeFileSync(path, file.endsWith('.md') ? await format(raised, config) : raised)
  }
  run(clone, ['npm', 'run', '--silent', 'generate'])
  run(clone, ['node', 'openapi/release/gate.ts', '--renew'])
}

/**
 * The same commit from the same day: it has the time when the day began, unless the commit before is later. One of a dry
 * run is nobody's, so that it needs no settings of git.
 */
function commit(
  root: string,
  clone: string,
  { version, date, isDry }: Pick<ReleaseOptions, 'date' | 'isDry'> & { readonly version: string },
): void {
  const before = Number(run(clone, ['git', 'log', '-1', '--format=%ct']))
  const at = `${Math.max(before, Date.parse(date) / 1000)} +0000`
  const env = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }
  for (const key of ['user.name', 'user.email'])
    run(clone, ['git', 'config', key, isDry ? 'nobody@malipo.invalid' : run(root, ['git', 'config', key])])
  run(clone, ['git', 'add', '--all'])
  run(clone, ['git', 'commit', '--quiet', '--message', `Release ${version}`], { env })
  run(clone, ['git', 'tag', '--annotate', '--message', `Malipo ${version}`, `v${version}`], { env })
}

/** Takes commit and tag over, both or neither. */
function adopt(root: string, clone: string, tag: string): void {
  run(root, ['git', 'fetch', '--quiet', '--no-tags', clone, `refs/tags/${tag}:refs/tags/${tag}`])
  try {
    run(root, ['git', 'merge', '--quiet', '--ff-only', tag])
  } catch (error) {
    run(root, ['git', 'tag', '--delete', tag])
    throw error
  }
}

const USAGE = `npm run release -- major|minor|patch [--date 2026-11-28]
npm run release -- --dry-run [major|minor|patch] [--date 2026-11-28]
  --dry-run  builds all of a release (unless you say so, a minor one) from the last commit into dist/; it runs no tests,
             and leaves commits, tags and files as they are
  --date     of the changelog; today without it. Dry runs of one commit and one date are equal byte for byte`

async function main(root: string): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      date: { type: 'string', default: new Date().toISOString().slice(0, '2026-11-28'.length) },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { 'dry-run': isDry, date } = values
  const [named = isDry ? 'minor' : undefined, ...more] = positionals
  const level = (['major', 'minor', 'patch'] as const).find((each) => each === named)
  const isWrong = level === undefined || more.length > 0
  if (values.help || isWrong || !/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) {
    console.log(USAGE)
    process.exitCode = values.help ? 0 : 2
    return
  }
  // Of the images, which come last.
  checkTools()
  const version = await release({ root, level, date, isDry })
  console.log(pushCommands(root, version, isDry))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    await main(fileURLToPath(new URL('../..', import.meta.url)))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(
      `release: ${error.message}\nNothing was committed or tagged. Put that right, and run the command again.`,
    )
    process.exitCode = 1
  }
