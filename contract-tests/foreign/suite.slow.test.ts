import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sampledByDefault, testNightly } from '../../server/verification/testing/nightly.ts'
import { needSchemathesis } from '../schemathesis-runner-wrapper/testing/installed.ts'
import { openContract } from './contract-file.ts'
import { FAULTS, type PlantedFault } from './library/faults.ts'
import { CREDENTIALS, startLibrary, type LibraryFault } from './library/library.ts'
import { foreignRun } from './testing/foreign-run.ts'

const at = (name: string): string => fileURLToPath(new URL(`./library/${name}`, import.meta.url))
const { contract } = await openContract(at('library.yaml'))
const values = readFileSync(at('values.json'), 'utf8')

async function runOn(fault: LibraryFault | undefined, only: readonly string[]) {
  const library = await startLibrary(contract.document, fault)
  onTestFinished(() => library.close())
  return foreignRun({ url: library.url, contract, credentials: CREDENTIALS, values, only })
}

test('finds nothing on a server that keeps its own contract, and covers all of it', async () => {
  const result = await runOn(undefined, ['declared', 'wire', 'rules'])
  expect(result.findings).toEqual([])
  expect(result.parts).toEqual(['declared passed', 'wire passed', 'rules passed'])
  const missing = result.coverage.subjects.flatMap(({ subject, missing: names }) =>
    names.map((name) => `${subject} ${name}`),
  )
  // The values name one book: Schemathesis creates and reads others.
  expect(missing.filter((id) => !/^getBook 200 body\.(kind|tags) /.test(id))).toEqual([])
  expect(result.coverage.declared).toBeGreaterThan(50)
})

const seenBy = (...parts: readonly string[]) => FAULTS.filter(({ foundBy }) => parts.includes(foundBy))
const found = async ({ foundBy, finding, plant }: PlantedFault): Promise<void> =>
  expect((await runOn(plant, [foundBy])).findings).toContainEqual(expect.stringMatching(finding))

test.each(sampledByDefault('faults of the library', seenBy('declared', 'wire'), 8))(
  '$foundBy finds $name',
  { timeout: 60_000 },
  found,
)

describe("Schemathesis on a third party's contract", () => {
  needSchemathesis()

  test('finds nothing wrong with a correct server', async () => {
    const result = await runOn(undefined, ['schemathesis'])
    expect(result.findings).toEqual([])
    expect(result.results[0]!.cases).toBeGreaterThan(100)
  })
  testNightly.each(seenBy('schemathesis'))('finds $name', { timeout: 120_000 }, found)
})
