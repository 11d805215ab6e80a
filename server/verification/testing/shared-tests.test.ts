import { expect, test } from 'vitest'
import { ALONE_TESTS, LONG_TESTS, PURE_TESTS } from './shared-tests.ts'
import { filesOf, importsIn, read } from './source-tree.ts'

/** A slow file has a process of its own, whatever it needs. */
const tests = filesOf('{server,client,contract-tests,openapi}/**/*.test.ts').filter(
  (file) => !/\.(slow|nightly)\.test\.ts$/.test(file),
)
const alone = filesOf(ALONE_TESTS)
const shared = tests.filter((file) => !alone.includes(file))
const pure = filesOf(PURE_TESTS).filter((file) => tests.includes(file) && !alone.includes(file))
const sources = new Set(filesOf('{server,client,contract-tests,openapi}/**/*.{ts,js}'))

/** Type imports do not exist at run time. */
const withoutTypes = (text: string): string => text.replaceAll(/^import type [^;]*? from '[^']+'$/gm, '')

const importsOf = memoized((file: string) =>
  // The output of a generator also has imports, of files elsewhere.
  importsIn(file, withoutTypes(read(file))).filter((imported) => sources.has(imported)),
)

/** Every file that is loaded when a test file runs. */
const runsWith = memoized((file: string) => {
  const seen = new Set([file])
  for (const each of seen) for (const imported of importsOf(each)) seen.add(imported)
  return seen
})

function memoized<Value>(find: (file: string) => Value): (file: string) => Value {
  const found = new Map<string, Value>()
  return (file) => {
    const value = found.get(file) ?? find(file)
    found.set(file, value)
    return value
  }
}

interface TestNeed {
  readonly what: string
  readonly sign: RegExp
  /** Allowed in the test file itself. */
  readonly onlyOfHelpers?: true
}

const THE_DATABASE: TestNeed = { what: 'the database of the test run', sign: /\binject\('postgres'\)/ }

/** What a file that shares its process must not use, and the pattern that reveals it. */
const NEEDS: readonly TestNeed[] = [
  // Such hooks apply only to the file that imports the helper first.
  { what: 'hooks that a helper sets', sign: /^(before|after)(Each|All)\(/m, onlyOfHelpers: true },
  {
    what: 'other modules, clocks, globals, or another environment',
    sign: /\bvi\.(mock|doMock|stub\w+|useFakeTimers|spyOn)\(|process\.env(\.\w+|\[\w+\]) \??= |process\.chdir\(/,
  },
  { what: 'a browser', sign: /from 'playwright-core'/ },
]

/** It sets its hook once, and runs before each file. */
const SETUP_FILE = 'server/verification/testing/each-file.ts'

const carriers = new Map<TestNeed, ReadonlySet<string>>()
/** The files that match the pattern of a need. */
function carriersOf(need: TestNeed): ReadonlySet<string> {
  const found = carriers.get(need) ?? new Set([...sources].filter((file) => need.sign.test(read(file))))
  carriers.set(need, found)
  return found
}

const whatNeeds = (need: TestNeed, of: string): string[] =>
  [...runsWith(of)].filter(
    (file) => carriersOf(need).has(file) && !(need.onlyOfHelpers && file === of) && file !== SETUP_FILE,
  )

const needing = (files: readonly string[], need: TestNeed): string[] =>
  files.flatMap((each) => whatNeeds(need, each).map((file) => `${each}: ${file}`))

test.each(NEEDS)('no test that shares its process needs $what', (need) => {
  expect(needing(shared, need)).toEqual([])
})

test('no pure test needs the database of the test run, others do', () => {
  expect(needing(pure, THE_DATABASE)).toEqual([])
  expect(needing(shared, THE_DATABASE)).not.toEqual([])
})

test('every pattern matches test files only; each that runs alone has a reason', () => {
  for (const pattern of [...ALONE_TESTS, ...PURE_TESTS, ...LONG_TESTS])
    expect(filesOf(pattern), pattern).not.toEqual([])
  expect([...alone, ...pure].filter((file) => !file.endsWith('.test.ts'))).toEqual([])
  expect(alone.filter((file) => !NEEDS.some((need) => whatNeeds(need, file).length > 0))).toEqual([])
})
