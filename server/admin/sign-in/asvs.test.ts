import { expect, test } from 'vitest'
import { read } from '../../verification/testing/source-tree.ts'

/** Sections of levels 1 and 2, and their last requirement; the rest is level 3. */
const LAST: Readonly<Record<string, number>> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
}

// That the named tests exist is what server/named-files.test.ts finds for all pages.
test('each requirement of ASVS has a row that names a test, or the reason for none', () => {
  const rows = [...read('server/admin/sign-in/README.md').matchAll(/^\| (\d+\.\d+\.\d+) +\|[^|]+\| (.*?) +\|$/gm)]
  const required = Object.entries(LAST).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, n) => `${section}.${n + 1}`),
  )
  expect(rows.map(([, requirement]) => requirement)).toEqual(required)
  const named = rows.filter(([, , shown = '']) => /`server\/admin\/sign-in\/\S+\.test\.ts` "/.test(shown))
  expect(named.length).toBeGreaterThan(40)
  expect(rows.filter(([, , shown = '']) => shown.length < 10)).toEqual([])
})
