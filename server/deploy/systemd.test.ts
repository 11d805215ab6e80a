import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SETTINGS } from '../settings.ts'

// What the units and their environment say; systemd.slow.test.ts starts them.

const units = fileURLToPath(new URL('systemd', import.meta.url))
const files = (await readdir(units)).filter((name) => name.endsWith('.service'))

test('servers do not know the owner of the database', async () => {
  const knowing: string[] = []
  for (const name of files) if ((await readFile(join(units, name), 'utf8')).includes('owner.env')) knowing.push(name)
  expect(knowing.sort()).toEqual(['malipo-migrate.service', 'malipo-months.service'])
  expect(await readFile(join(units, 'owner.env'), 'utf8')).toMatch(/^MIGRATION_DATABASE_URL='postgres:/m)
  expect(await readFile(join(units, 'malipo.env'), 'utf8')).not.toContain('MIGRATION_DATABASE_URL')
})

test('the gateway knows every setting of the example environment', async () => {
  const text = await readFile(join(units, 'malipo.env'), 'utf8')
  const known = Object.values(SETTINGS).map(({ name }) => name)
  // Optional settings are commented out with "#".
  const set = [...text.matchAll(/^#?([A-Z_]+)='/gm)].map(([, name = '']) => name)
  expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'MALIPO_MASTER_KEY', 'MALIPO_DRAIN_MS']))
  expect(set.filter((name) => !known.includes(name))).toEqual([])
})
