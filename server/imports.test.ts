import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Which part may import which (architecture). Parts meet in main, cli, tests, the bench and the drill of chaos/, and
// nowhere else.
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'server/domain': [],
  'server/actions': ['server/domain'],
  'server/http': ['server/actions', 'server/domain', 'generated'],
  'server/work': ['server/actions', 'server/domain'],
  'server/payment-page': ['server/actions', 'server/domain'],
  'server/sandbox': ['server/actions', 'server/domain'],
  'server/storage': ['server/actions/ports.ts', 'server/domain'],
  'server/rails': ['server/actions/ports.ts', 'server/domain'],
  'server/callbacks': ['server/actions/ports.ts', 'server/domain'],
  'server/metrics': ['server/actions/ports.ts', 'server/domain'],
  'server/simulation/memory-store': ['server/actions/ports.ts', 'server/domain'],
  client: ['generated'],
}

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync('{server,client}/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('node_modules'),
)

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path]) => normalize(join(dirname(file), path!)))
}

const partOf = (file: string): string | undefined => Object.keys(MAY_IMPORT).find((part) => file.startsWith(`${part}/`))

test.each(Object.entries(MAY_IMPORT))('%s imports only what it may: %j', (part, allowed) => {
  const wrong = files
    .filter((file) => partOf(file) === part)
    .flatMap((file) =>
      importsOf(file)
        .filter((imported) => ![part, ...allowed].some((path) => imported === path || imported.startsWith(`${path}/`)))
        .map((imported) => `${file} → ${imported}`),
    )
  expect(wrong).toEqual([])
})

test('the check sees imports at all', () => expect(files.flatMap(importsOf).length).toBeGreaterThan(100))

test('time, chance and network do not enter the domain or the actions', () => {
  const forbidden = /\bDate\.now\b|new Date\(\)|Math\.random|\bsetTimeout\b|\bsetInterval\b|\bfetch\(|process\.env/
  const wrong = files
    .filter((file) => /^server\/(domain|actions)\//.test(file))
    .filter((file) => forbidden.test(readFileSync(join(root, file), 'utf8')))
  expect(wrong).toEqual([])
})

test('only config.ts reads the environment', () => {
  const readers = files.filter(
    (file) =>
      file.startsWith('server/') &&
      !/^server\/(testing|bench|chaos)\//.test(file) &&
      /process\.env/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(readers).toEqual(['server/config.ts'])
})
