import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { testNightly } from '../verification/testing/nightly.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'
import { run } from './build-release.ts'
import { pushCommands } from './push-commands.ts'
import { datedChangelog, release, type ReleaseOptions } from './release.ts'

const folder = temporaryFolder()

const PACK = `
  const { version } = require('./package.json')
  require('node:fs').mkdirSync('dist/packages', { recursive: true })
  require('node:fs').writeFileSync('dist/packages/malipo-gateway-' + version + '.tgz', process.env.SOURCE_DATE_EPOCH)`

/** A repository with the same steps, which take no time. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "malipo",
  "version": "0.2.0",
  "scripts": { "generate": "node -e 1", "images": "node pack.cjs", "sbom": "node -e 1" }
}`,
  'package-lock.json': JSON.stringify({ name: 'malipo', version: '0.2.0', lockfileVersion: 3, packages: { '': {} } }),
  'pack.cjs': PACK,
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Refunds.\n\n## 0.2.0\n\n- All.\n',
  'README.md': 'npm install ./malipo-gateway-0.2.0.tgz\n',
  'openapi/release/released.json': '{ "version": "0.2.0" }',
  'openapi/release/gate.ts': '',
  '.ci/run': '#!/bin/sh\n',
  '.gitignore': 'dist/\nnode_modules/\n',
}

function repository(changed: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(folder.path, 'repository-'))
  for (const [name, text] of Object.entries({ ...FILES, ...changed })) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  chmodSync(join(root, '.ci/run'), 0o755)
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  for (const [key, value] of [
    ['user.name', 'Amina'],
    ['user.email', 'amina@example.com'],
  ] as const)
    git(root, 'config', key, value)
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Begin')
  return root
}
const git = (root: string, ...args: readonly string[]): string => run(root, ['git', ...args])
const OPTIONS = {
  level: 'minor',
  date: '2030-01-02',
  isDry: false,
} satisfies Partial<ReleaseOptions>
const stateOf = (root: string) => [
  git(root, 'show-ref'),
  git(root, 'status', '--porcelain'),
  git(root, 'rev-parse', 'HEAD'),
]
const inDist = (root: string, name: string): string => readFileSync(join(root, 'dist', name), 'utf8')

test('a release is one commit with its tag, and digests of what was built', async () => {
  const root = repository()
  expect(await release({ root, ...OPTIONS })).toBe('0.3.0')
  expect(git(root, 'log', '--format=%s %cd', '--date=format-local:%F', '-1')).toBe('Release 0.3.0 2030-01-02')
  expect([git(root, 'describe'), git(root, 'status', '--porcelain')]).toEqual(['v0.3.0', ''])
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('malipo-gateway-0.3.0.tgz')
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(
    '## Unreleased\n\n## 0.3.0 - 2030-01-02\n\n- Refunds.',
  )
  const { status } = spawnSync('sha256sum', ['--check', '--strict', 'release/SHA256SUMS'], { cwd: join(root, 'dist') })
  expect(status).toBe(0)
  expect(pushCommands(root, '0.3.0', false)).toContain('./dist/packages/malipo-gateway-0.3.0.tgz')
  await expect(release({ root, ...OPTIONS })).rejects.toThrow('CHANGELOG.md has no entry under ## Unreleased')
})

test('two dry runs build the same, and leave commits, tags and files alone', async () => {
  const root = repository()
  const before = stateOf(root)
  const sums = async (): Promise<string> => {
    await release({ root, ...OPTIONS, isDry: true })
    return inDist(root, 'release/SHA256SUMS')
  }
  expect(await sums()).toBe(await sums())
  expect(stateOf(root)).toEqual(before)
})

test.each([
  ['an undeclared change of the contract', 'openapi/release/gate.ts', 'process.exit(1)', 'gate.ts --renew failed'],
  ['a test that fails', '.ci/run', '#!/bin/sh\nexit 1\n', '.ci/run failed'],
  ['a package that cannot be built', 'pack.cjs', 'process.exit(1)', 'npm run --silent images failed'],
])('%s leaves the repository as it was', async (_, file, text, message) => {
  const root = repository({ [file]: text })
  const before = stateOf(root)
  await expect(release({ root, ...OPTIONS })).rejects.toThrow(message)
  expect(stateOf(root)).toEqual(before)
})

test('refuses another branch and changed files before it begins', async () => {
  const root = repository()
  git(root, 'switch', '--quiet', '--create', 'other')
  writeFileSync(join(root, 'README.md'), 'changed')
  await expect(release({ root, ...OPTIONS })).rejects.toThrow(
    /^this is branch other: .*\nfiles differ from the last commit/,
  )
})

test('a changelog without new entries is not dated', () => {
  expect(datedChangelog('## Unreleased\n\n## 0.2.0\n\n- All.\n', '0.3.0', '2030-01-02')).toBeUndefined()
})

const HOUR_MS = 3_600_000
testNightly('two dry runs of this commit are equal byte for byte', { timeout: HOUR_MS }, async () => {
  const root = mkdtempSync(join(folder.path, 'malipo-'))
  run(root, ['git', 'clone', '--quiet', fileURLToPath(new URL('../..', import.meta.url)), '.'])
  for (const key of ['user.name', 'user.email']) git(root, 'config', key, 'amina@example.com')
  const sums = async (): Promise<string> => {
    await release({ root, ...OPTIONS, isDry: true })
    return inDist(root, 'release/SHA256SUMS')
  }
  const first = await sums()
  expect(first.split('\n').length).toBeGreaterThan(6)
  expect(await sums()).toBe(first)
})
