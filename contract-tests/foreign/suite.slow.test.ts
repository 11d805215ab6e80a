import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sampledByDefault, testNightly } from '../../server/verification/testing/nightly.ts'
import type { Contract } from '../../openapi/reading/contract.ts'
import { parseValues } from '../driver/contract-values.ts'
import { schemesOf } from '../driver/credentials.ts'
import { installSchemathesis } from '../schemathesis-runner-wrapper/install.ts'
import type { SuiteResult } from '../suite-result.ts'
import { openContract } from './contract-file.ts'
import { FAULTS, type PlantedFault } from './library/faults.ts'
import { CREDENTIALS, startLibrary, type LibraryFault } from './library/library.ts'
import { runForeignSuite } from './suite.ts'

const at = (name: string): string => fileURLToPath(new URL(`./library/${name}`, import.meta.url))
let contract: Contract

beforeAll(async () => {
  ;({ contract } = await openContract(at('library.yaml')))
})

async function runOn(fault: LibraryFault | undefined, only: readonly string[]): Promise<SuiteResult> {
  const library = await startLibrary(contract.document, fault)
  onTestFinished(() => library.close())
  const credentials = schemesOf(contract).map((scheme) => ({
    ...scheme,
    value: Object.entries(CREDENTIALS).find(([name]) => name === scheme.name)?.[1] ?? '',
  }))
  return runForeignSuite({
    url: library.url,
    contract,
    credentials: Object.fromEntries(credentials.map((credential) => [credential.name, credential])),
    headers: {},
    values: parseValues(readFileSync(at('values.json'), 'utf8'), contract),
    seed: 1,
    size: 'pull-request',
    only,
    log: () => undefined,
  })
}

const reported = ({ findings }: SuiteResult): string[] => findings.map(({ about, what }) => `${about} ${what}`)

test('finds nothing on a server that keeps its own contract, and covers all of it', async () => {
  const result = await runOn(undefined, ['declared', 'wire', 'rules'])
  expect(reported(result)).toEqual([])
  expect(result.results.map(({ part, status }) => `${part} ${status}`)).toEqual([
    'declared passed',
    'wire passed',
    'rules passed',
  ])
  const missing = result.coverage.subjects.flatMap(({ subject, missing: names }) =>
    names.map((name) => `${subject} ${name}`),
  )
  // The values name one book: Schemathesis creates and reads others.
  expect(missing.filter((id) => !/^getBook 200 body\.(kind|tags) /.test(id))).toEqual([])
  expect(result.coverage.declared).toBeGreaterThan(50)
})

const seenBy = (...parts: readonly string[]) => FAULTS.filter(({ foundBy }) => parts.includes(foundBy))
const found = async ({ foundBy, finding, plant }: PlantedFault): Promise<void> =>
  expect(reported(await runOn(plant, [foundBy]))).toContainEqual(expect.stringMatching(finding))

test.each(sampledByDefault('faults of the library', seenBy('declared', 'wire'), 8))(
  '$foundBy finds $name',
  { timeout: 60_000 },
  found,
)

describe("Schemathesis on a third party's contract", () => {
  beforeEach(async (context) => {
    const installed = await installSchemathesis({ env: process.env, log: () => undefined })
    if (!('unavailable' in installed)) return
    if (process.env.REQUIRE_SCHEMATHESIS === '1')
      throw new Error(`Schemathesis is required here: ${installed.unavailable}`)
    context.skip(`without Schemathesis: ${installed.unavailable}`)
  }, 300_000)

  test('finds nothing wrong with a correct server', async () => {
    const result = await runOn(undefined, ['schemathesis'])
    expect(reported(result)).toEqual([])
    expect(result.results[0]!.cases).toBeGreaterThan(100)
  })
  testNightly.each(seenBy('schemathesis'))('finds $name', { timeout: 120_000 }, found)
})
