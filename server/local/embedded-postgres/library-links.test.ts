import { mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'
import { linkLibraries } from './library-links.ts'

const { path: folder, written } = temporaryFolder()

test('makes the links that are missing, and leaves the others', async () => {
  const lib = join(folder, 'native/lib')
  mkdirSync(lib, { recursive: true })
  symlinkSync('theirs.so.2', join(lib, 'liba.so'))
  const links = ['liba.so', 'liba.so.1'].map((name) => ({
    source: 'native/lib/liba.so.1.2',
    target: `native/lib/${name}`,
  }))
  written('native/pg-symlinks.json', JSON.stringify(links))
  await linkLibraries(folder)
  expect(['liba.so', 'liba.so.1'].map((name) => readlinkSync(join(lib, name)))).toEqual(['theirs.so.2', 'liba.so.1.2'])
})

test('needs no list', () => expect(linkLibraries(join(folder, 'none'))).resolves.toBeUndefined())
