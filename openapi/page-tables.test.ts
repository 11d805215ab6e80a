import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagesWithTables } from './page-tables.ts'

test.each(Object.entries(pagesWithTables()))('%s lists what the code has: npm run generate writes it', (path, text) =>
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text),
)
