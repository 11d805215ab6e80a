import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'
import { openContract } from '../foreign/contract-file.ts'
import type { SuiteSettings } from '../settings.ts'
import { UsageError } from '../usage-error.ts'
import { choiceSince } from './choice-since.ts'

const LIBRARY = fileURLToPath(new URL('../foreign/library/library.yaml', import.meta.url))
const folder = temporaryFolder().path
const repository = join(folder, 'shop')
const contract = join(repository, 'api/library.yaml')
const limits = join(repository, 'parts/limit.yaml')
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })

beforeAll(() => {
  mkdirSync(join(repository, 'api'), { recursive: true })
  mkdirSync(join(repository, 'parts'))
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '-m', 'Begin')
  git('tag', 'empty')
  cpSync(LIBRARY, contract)
  writeFileSync(limits, '{ name: most, in: query, schema: { type: integer, maximum: 10 } }\n')
  const text = readFileSync(contract, 'utf8')
  writeFileSync(contract, text.replace(/ +- \{ name: author,/, "        - { $ref: '../parts/limit.yaml' }\n$&"))
  git('add', '.')
  git('commit', '--quiet', '-m', 'Add the contract')
  git('tag', 'v1')
})

const choice = async (given: Partial<SuiteSettings>) => {
  const file = given.contract ?? contract
  const opened = await openContract(file)
  return choiceSince({ since: 'v1', ...given, contract: file }, opened.contract)
}

test('chooses the operations that a changed file of the contract belongs to', async () => {
  expect(await choice({})).toMatchObject({
    operations: [],
    reason: '--since v1: no operation of the contract differs, so nothing is tested',
  })
  const before = readFileSync(limits, 'utf8')
  writeFileSync(limits, before.replace('10', '11'))
  const { operations, reason } = (await choice({})) ?? {}
  writeFileSync(limits, before)
  expect(operations).toEqual(['listBooks'])
  expect(reason).toMatch(/^--since v1: 1 of \d+ operations differs: listBooks$/)
})

test('chooses everything when the commit has no contract, and nothing without --since', async () => {
  const all = await choice({ since: 'empty' })
  expect(all?.operations).toBeUndefined()
  expect(all?.reason).toBe('--since empty: everything is tested, because the contract is not in empty')
  expect(await choiceSince({ contract })).toBeUndefined()
})

test.each<[string, Partial<SuiteSettings>, RegExp]>([
  ['an unknown commit', { since: 'v9' }, /^--since v9: there is no such commit here; a shallow clone /],
  ['an option of git', { since: '--all' }, /^--since --all: this is not the name of a commit$/],
  ['wrong options', { failOn: 'x' }, /^--fail-on must be one of /],
])('reports %s in one line', async (_what, given, message) => {
  const error: unknown = await choice(given).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(UsageError)
  expect((error as UsageError).message).toMatch(message)
})

test('reports a contract in no repository in one line, with its name', async () => {
  const file = join(folder, 'library.yaml')
  cpSync(LIBRARY, file)
  await expect(choice({ contract: file })).rejects.toThrow(/^--since v1: fatal: not a git repository.*library\.yaml\)$/)
})
