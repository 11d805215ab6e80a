import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { run } from './testing/terminal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'malipo-dev-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['fastify', 'web/server.ts'],
  ['next', 'app/callbacks/route.ts'],
])('new shop writes a %s shop with the names that npm and git expect', async (framework, file) => {
  const { exitCode } = await run(
    ['new', 'shop', 'shop', '--framework', framework, '--client', 'file:../client.tgz'],
    folder,
  )
  expect(exitCode).toBe(0)
  const shop = join(folder, 'shop')
  expect(new Set(readdirSync(shop))).toEqual(
    new Set([
      '.env.development',
      '.gitignore',
      'README.md',
      file.split('/')[0],
      'package.json',
      'shop',
      'tsconfig.json',
    ]),
  )
  expect(existsSync(join(shop, file))).toBe(true)
  expect(manifestAt(join(shop, 'package.json')).dependencies['@malipo/client']).toBe('file:../client.tgz')
})

test.each(['fastapi', 'php'])(
  'the README of a %s shop runs the toolbox from the configured place',
  async (framework) => {
    await run(['new', 'shop', 'shop', '--framework', framework, '--client', 'file:../my client.tgz'], folder)
    const readme = readFileSync(join(folder, 'shop', 'README.md'), 'utf8')
    expect(readme.match(/^npx -p \S+ \S+ malipo-dev (listen|check|certify) /gm)).toEqual([
      "npx -p 'file:../my client.tgz' malipo-dev listen ",
      "npx -p 'file:../my client.tgz' malipo-dev check ",
      "npx -p 'file:../my client.tgz' malipo-dev certify ",
    ])
  },
)

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}
const manifestAt = (path: string | URL) => JSON.parse(readFileSync(path, 'utf8')) as Manifest

test.each(['fastify', 'next', 'fastapi', 'php'])(
  'a %s shop installs the running client by its path',
  async (framework) => {
    await run(['new', 'shop', 'shop', '--framework', framework], folder)
    const shop = join(folder, 'shop')
    const file = existsSync(join(shop, 'package.json')) ? 'package.json' : 'README.md'
    const text = readFileSync(join(shop, file), 'utf8')
    // In JSON, in quotes of a shell, or bare.
    const specs = [...text.matchAll(/"@malipo\/client": "file:([^"]+)"|npx -p (?:'file:([^']+)'|file:(\S+))/g)]
    expect(specs).toHaveLength(file === 'README.md' ? 3 : 1)
    const client = resolve(fileURLToPath(new URL('..', import.meta.url)))
    for (const [, json, quoted, bare] of specs)
      expect(resolve(realpathSync(shop), json ?? quoted ?? bare ?? '')).toBe(client)
  },
)

test("the shops require this version of the client, and the project's Fastify", () => {
  const read = (path: string) => manifestAt(new URL(path, import.meta.url))
  const { version } = read('../package.json')
  for (const framework of ['fastify', 'next'])
    expect(read(`templates/root/${framework}/_package.json`).dependencies['@malipo/client']).toBe(
      `file:../malipo-client-${version}.tgz`,
    )
  expect(read('templates/root/fastify/_package.json').dependencies['fastify']).toBe(
    read('../../package.json').dependencies['fastify'],
  )
})
