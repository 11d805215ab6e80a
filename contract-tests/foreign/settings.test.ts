import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contract } from '../../openapi/reading/contract.ts'
import { hiderOf, spellingsOf } from '../driver/credentials.ts'
import { type SuiteSettings } from '../settings.ts'
import { UsageError } from '../usage-error.ts'
import { openContract } from './contract-file.ts'
import { foreignSettings } from './settings.ts'
import { temporaryFolder } from '../../server/verification/testing/temporary-folder.ts'

const LIBRARY = fileURLToPath(new URL('./library/library.yaml', import.meta.url))
const { path: folder, written } = temporaryFolder()
let contract: Contract
beforeAll(async () => {
  ;({ contract } = await openContract(LIBRARY))
})

const file = (name: string, content: unknown): string =>
  written(name, typeof content === 'string' ? content : JSON.stringify(content))
const saidBy = async (run: () => unknown): Promise<string> => {
  try {
    await run()
  } catch (error) {
    if (error instanceof UsageError) return error.message.replaceAll(folder, '.')
    throw error
  }
  return 'it was accepted'
}

const BASE: SuiteSettings = { contract: 'library.yaml', url: 'http://127.0.0.1:9101' }
const KEYS = { KEY_ACCESS_TOKEN: 'token-in-the-environment', KEY_READER_CARD: 'card-in-the-environment' }
const settings = (given: SuiteSettings, env: Readonly<Record<string, string>> = KEYS) =>
  foreignSettings({ ...BASE, ...given }, contract, env)

test.each<[string, unknown, string]>([
  ['nowhere.json', undefined, 'there is no file ./nowhere.json'],
  ['broken.json', '{', './broken.json is no JSON'],
  ['package.json', { name: 'x' }, './package.json is no OpenAPI document: it has no field openapi'],
  ['old.json', { openapi: '3.0.3' }, './old.json is of OpenAPI "3.0.3", and only 3.1 can be tested'],
  ['empty.json', { openapi: '3.1.0', paths: {} }, './empty.json declares no operation: there is nothing to test'],
  [
    'lost.json',
    { openapi: '3.1.0', paths: { '/': { get: { responses: { 200: { $ref: '#/no' } } } } } },
    './lost.json cannot be used: #/no leads nowhere',
  ],
])('reports the unusable contract %s in one line', async (name, content, message) => {
  const path = content === undefined ? `./${name}` : file(name, content)
  expect(await saidBy(() => openContract(path))).toBe(`--contract: ${message}`)
})

test('recognizes our own contract by its operations', async () => {
  const ours = fileURLToPath(new URL('../../generated/openapi.json', import.meta.url))
  expect((await openContract(ours)).isOurs).toBe(true)
  expect((await openContract(LIBRARY)).isOurs).toBe(false)
})

describe('options that do not fit such a contract are reported in one line', () => {
  test.each<[string, SuiteSettings, string]>([
    [
      'no address',
      { url: undefined } as unknown as SuiteSettings,
      "library.yaml is not Malipo's own contract: give the address of its server with --url",
    ],
    [
      'an unknown part',
      { only: 'nothing' },
      'There is no part nothing, only declared, receiver, apart, additions, outgoing, options, limits, inputs, model, workflows, wire, schemathesis, arranged',
    ],
    [
      'a part of Malipo',
      { only: 'wire,model' },
      "--only: model needs Malipo's own operations, and library.yaml has none of them; there are declared, wire, schemathesis",
    ],
    [
      "Malipo's keys",
      { publicKey: 'p' },
      "--public-key is for Malipo's own contract: pass the credentials of library.yaml with --security or --header",
    ],
    [
      'another machine',
      { url: 'https://library.example' },
      'These tests send every request that the contract declares. Add --test-account to say that nothing real hangs on it',
    ],
    [
      'an unknown scheme',
      { security: ['key=secret-of-nobody'] },
      '--security: the contract has no security scheme key in use, only accessToken, readerCard',
    ],
    [
      'a short credential',
      { security: ['readerCard=short'] },
      'readerCard has fewer than 8 characters: it could not be distinguished from other text in the reports',
    ],
    ['a file that is not there', { security: ['readerCard=@nowhere.txt'] }, '--security: there is no file nowhere.txt'],
    [
      'a header that is none',
      { header: ['secret-without-a-name'] },
      "--header must be written 'Name: value', or @ and the name of a file with such lines",
    ],
    ['no values', { values: 'nowhere.json' }, '--values: there is no file nowhere.json'],
    ['no paths', { paths: '/cars' }, '--paths: no path of the contract begins with /cars'],
  ])('%s', async (_name, given, message) => expect(await saidBy(() => settings(given))).toBe(message))

  test('a credential that is missing', async () => {
    expect(await saidBy(() => settings({}, { KEY_READER_CARD: 'card-in-the-environment' }))).toBe(
      'listBooks wants accessToken: give --security accessToken=@<file with the value>, for each of accessToken, readerCard',
    )
  })

  test.each([
    [{ readBook: {} }, 'there is no operation readBook in the contract'],
    [{ getBook: { parameters: { isbn: '1' } } }, 'getBook has no parameter isbn'],
    [{ getBook: { body: {} } }, 'getBook has no body'],
    [
      { getBook: { parameters: { id: '{makeBook.response.body/id}' } } },
      'getBook refers to the operation makeBook, which the contract does not have',
    ],
  ])('values %j', async (values, message) => {
    const path = file('values.json', values)
    expect(await saidBy(() => settings({ values: path }))).toBe(`--values: ./values.json: ${message}`)
  })
})

test('reads credentials from option, file, own header, then environment', () => {
  const token = file('token.txt', 'token-in-a-file\n')
  const values = (given: SuiteSettings) =>
    Object.values(settings(given).credentials).map(({ name, value }) => `${name} ${value}`)
  expect(values({})).toEqual(['accessToken token-in-the-environment', 'readerCard card-in-the-environment'])
  expect(values({ header: ['Authorization: Bearer token-in-a-header', 'x-reader-card: card-in-a-header'] })).toEqual([
    'accessToken token-in-a-header',
    'readerCard card-in-a-header',
  ])
  expect(values({ header: ['Authorization: Bearer token-in-a-header'], security: [`accessToken=@${token}`] })[0]).toBe(
    'accessToken token-in-a-file',
  )
  expect(settings({ header: ['Authorization: Bearer token-in-a-header', 'X-Tenant: one'] }).headers).toEqual({
    'x-tenant': 'one',
  })
})

test('hides a secret in every spelling that a request uses', () => {
  const basic = {
    name: 'userAndKey',
    kind: 'basic',
    in: 'header',
    field: 'authorization',
    value: 'user:key+of/user',
  } as const
  const hide = hiderOf(spellingsOf({ userAndKey: basic }, { 'x-tenant': 'tenant-of-somebody' }))
  const texts = ['user:key+of/user', btoa('user:key+of/user'), 'key+of/user', 'key%2Bof%2Fuser', 'tenant-of-somebody']
  for (const text of texts) expect(hide(`<${text}>`)).not.toContain(text)
  expect(hide(`Basic ${btoa('user:key+of/user')}`, (name) => `"$${name}"`)).toBe(
    'Basic "$(printf %s "$KEY_USER_AND_KEY" | base64 -w 0)"',
  )
})
