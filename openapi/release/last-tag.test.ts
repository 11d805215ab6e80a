import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { changedSince, fileAtTag, lastTag } from './last-tag.ts'

const { path: folder } = temporaryFolder()
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=Duka', '-c', 'user.email=duka@example.com', ...args], { cwd: folder })
function commit(text: string): void {
  writeFileSync(join(folder, 'contract'), text)
  git('add', '.')
  git('commit', '--quiet', '--message', text)
}

test('the last release is the last tag of a version', () => {
  expect(lastTag('HEAD', folder)).toBeUndefined()
  git('init', '--quiet')
  commit('first')
  expect(lastTag('HEAD', folder)).toBeUndefined()
  git('tag', 'v0.2.0')
  commit('second')
  git('tag', 'vendored')
  expect(lastTag('HEAD', folder)).toBe('v0.2.0')
  expect(fileAtTag('v0.2.0', 'contract', folder)).toBe('first')
  expect(fileAtTag('v0.2.0', 'other', folder)).toBeUndefined()
  git('tag', '--annotate', '--message', 'third', 'v0.10.0')
  expect([lastTag('HEAD', folder), lastTag('HEAD^', folder)]).toEqual(['v0.10.0', 'v0.2.0'])
})

test('changed and removed files are found since a tag, and new ones are not', () => {
  mkdirSync(join(folder, 'migrations'))
  for (const name of ['0001', '0002', '0003']) writeFileSync(join(folder, 'migrations', name), name)
  commit('migrations')
  git('tag', 'v0.11.0')
  const changed = () => changedSince('v0.11.0', 'migrations', folder)
  writeFileSync(join(folder, 'migrations', '0004'), 'new')
  git('add', '.')
  expect(changed()).toEqual([])
  writeFileSync(join(folder, 'migrations', '0001'), 'other')
  renameSync(join(folder, 'migrations', '0002'), join(folder, 'migrations', '0005'))
  commit('renamed')
  expect(changed()).toEqual(['migrations/0001', 'migrations/0002'])
})
