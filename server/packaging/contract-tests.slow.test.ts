import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openContract } from '../../contract-tests/foreign/contract-file.ts'
import { FAULTS } from '../../contract-tests/foreign/library/faults.ts'
import { CREDENTIALS, startLibrary } from '../../contract-tests/foreign/library/library.ts'
import { runProgram, type ProgramResult } from '../../contract-tests/harness/program.ts'
import { PACKAGES, tarballOf } from '../../openapi/packages.ts'
import { forFile } from '../verification/testing/for-file.ts'
import { testNightly } from '../verification/testing/nightly.ts'
import { skipReason } from '../verification/testing/skip-reason.ts'
import { temporaryFolder } from '../verification/testing/temporary-folder.ts'
import { packInto } from './pack.ts'

// The contract tests as strangers have them, against a server that is not ours.

const root = fileURLToPath(new URL('../..', import.meta.url))
const runner = PACKAGES.find(({ name }) => name === '@malipo/contract-tests')!
const INSTALLED_MB_MAX = 15
const { path: folder } = temporaryFolder()
const tarball = join(folder, tarballOf(runner))
await packInto(folder, [runner])

const { contract } = await openContract(join(root, 'contract-tests/foreign/library/library.yaml'))
const library = await forFile(
  startLibrary(contract.document, FAULTS.find(({ name }) => name === 'allow-missing')?.plant),
)
const FOUND = /^1\. listBooks: a request with a method .* its Allow header is not there/m

/** A folder with nothing but the contract of the library. */
function project(name: string): string {
  mkdirSync(join(folder, name))
  cpSync(join(root, 'contract-tests/foreign/library/library.yaml'), join(folder, name, 'openapi.yaml'))
  return join(folder, name)
}
const env = {
  ...process.env,
  KEY_ACCESS_TOKEN: CREDENTIALS.accessToken,
  KEY_READER_CARD: CREDENTIALS.readerCard,
  SERVER_URL: library.url,
}
const shell = (cwd: string, script: string): Promise<ProgramResult> => runProgram('bash', ['-ec', script], { cwd, env })

test('the package is built JavaScript without our gateway, and finds a fault', async () => {
  const cwd = project('built')
  spawnSync('tar', ['xzf', tarball], { cwd })
  symlinkSync(join(root, 'node_modules'), join(cwd, 'package/node_modules'))
  const files = globSync('**/*.*', { cwd: join(cwd, 'package'), exclude: ['node_modules'] })
  expect(files.filter((file) => /\.(ts|map|sql)$|server\/(main|storage)/.test(file))).toEqual([])
  const command =
    'node package/bin/malipo-contract-tests.cjs --contract openapi.yaml --url "$SERVER_URL" --only declared'
  const { code, out, err } = await shell(cwd, command)
  expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(FOUND) })
  expect(err).toMatch(/^declared: findings after .*, 1 finding: listBooks: a request with a method /m)
  const alone = await shell(cwd, 'node package/bin/malipo-contract-tests.cjs')
  expect(alone).toMatchObject({ code: 2, err: expect.stringMatching(/^Without --url .* only a clone of Malipo has/) })
})

testNightly('the package in an empty folder finds a fault, and has 15 MB', async () => {
  if ((await runProgram('npm', ['ping'])).code !== 0)
    return skipReason('no npm registry answers', 'the contract tests from their tarball')
  const cwd = project('empty')
  const begin = performance.now()
  const installed = await shell(cwd, `npm install --cache cache '${tarball}'`)
  expect(installed, installed.err).toMatchObject({ code: 0 })
  const { code, out } = await shell(
    cwd,
    'npx --no -- malipo-contract-tests --contract openapi.yaml --url "$SERVER_URL" --only declared,wire',
  )
  const seconds = (performance.now() - begin) / 1000
  expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(FOUND) })
  const megabytes = Number((await shell(cwd, 'du -sm node_modules')).out.split('\t')[0])
  console.log(`@malipo/contract-tests: findings after ${seconds.toFixed(0)} s, ${megabytes} MB installed`)
  expect(megabytes).toBeLessThanOrEqual(INSTALLED_MB_MAX)
  for (const report of ['junit.xml', 'results.sarif', 'summary.md', 'badge.json'])
    expect(existsSync(join(cwd, 'dist/contract-tests', report)), report).toBe(true)
})
