import { expect, test } from 'vitest'
import { SHARED_TESTS } from './shared-tests.ts'
import { filesOf, importsIn, read } from './source-tree.ts'

const shared = filesOf(SHARED_TESTS)
const sources = new Set(filesOf('{server,client,contract-tests,openapi}/**/*.{ts,js}'))

/** Imports of types are gone when a file runs. */
const withoutTypes = (text: string): string => text.replaceAll(/^import type [^;]*? from '[^']+'$/gm, '')

/** Everything that runs when a test file runs. */
function runsWith(file: string, seen = new Set<string>()): Set<string> {
  // What a generator writes also has imports, of files that are elsewhere.
  if (seen.has(file) || !sources.has(file)) return seen
  seen.add(file)
  for (const imported of importsIn(file, withoutTypes(read(file)))) runsWith(imported, seen)
  return seen
}

interface Need {
  readonly what: string
  readonly sign: RegExp
  /** The test file itself may have it. */
  readonly onlyOfHelpers?: true
}

/** What a file that shares its process cannot have, and what gives it away. */
const NEEDS: readonly Need[] = [
  { what: 'the database of the test run', sign: /\binject\('postgres'\)/ },
  // They are set for the file that imports the helper first, and for no other.
  { what: 'hooks that a helper sets', sign: /^(before|after)(Each|All)\(/m, onlyOfHelpers: true },
  {
    what: 'other modules, clocks, globals, or another environment',
    sign: /\bvi\.(mock|doMock|stub\w+|useFakeTimers|spyOn)\(|process\.env(\.\w+|\[\w+\]) \??= |process\.chdir\(/,
  },
  { what: 'a browser', sign: /from 'playwright-core'/ },
]

const whatNeeds = ({ sign, onlyOfHelpers }: Need, of: string): string[] =>
  [...runsWith(of)].filter((file) => sign.test(read(file)) && !(onlyOfHelpers && file === of))

test.each(NEEDS)('no test that shares its process needs $what', (need) => {
  const wrong = shared.flatMap((each) => whatNeeds(need, each).map((file) => `${each}: ${file}`))
  expect(wrong).toEqual([])
})

test('every pattern has files, all of them tests, and each need is seen somewhere else', () => {
  for (const pattern of SHARED_TESTS) expect(filesOf(pattern), pattern).not.toEqual([])
  expect(shared.filter((file) => !file.endsWith('.test.ts'))).toEqual([])
  const alone = filesOf('{server,client}/**/*.test.ts').filter((file) => !shared.includes(file))
  for (const need of NEEDS)
    expect(
      alone.some((each) => whatNeeds(need, each).length > 0),
      need.what,
    ).toBe(true)
})
