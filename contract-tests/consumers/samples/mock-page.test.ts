import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl } from '../../../openapi/reading/contract.ts'
import { present } from '../../../server/domain/present.ts'
import { isNightly, testNightly } from '../../../server/verification/testing/nightly.ts'
import { createTestDatabase } from '../../../server/verification/testing/database.ts'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startTestGateway } from '../../../server/verification/testing/gateway.ts'
import { startPrism } from '../../driver/prism.ts'
import { fencesIn } from './fences.ts'
import { SHOWN_URL } from './reader.ts'
import { runTypeScript } from './run-sample.ts'
import { typeErrors } from './type-errors.ts'

// The page about mock, sandbox and unit tests shows a test for each: they run unchanged, beside the real programs.

const fences = fencesIn(readFileSync(new URL('../../../openapi/pages/mock-or-sandbox.md', import.meta.url), 'utf8'))
const sourceOf = (heading: string): string =>
  present(
    fences.find((fence) => fence.heading === heading && fence.language === 'ts'),
    heading,
  ).text
// Done before anybody connects: the compiler reads the whole client for each test and blocks meanwhile.
const HEADINGS = ['The mock', 'The sandbox', 'Callbacks in a unit test']
const typeFaults = new Map(isNightly ? HEADINGS.map((heading) => [heading, typeErrors(sourceOf(heading))]) : [])
const { connection } = await forFile(createTestDatabase())

const passes = async (source: string): Promise<void> => {
  const { exitCode, stdout, stderr } = await runTypeScript(source)
  expect(exitCode, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/pass 1$/m)
}

test.concurrent('the test against the mock passes', async () => {
  const prism = await startPrism(bundleUrl)
  try {
    await passes(sourceOf('The mock').replace('http://127.0.0.1:4010', prism.baseUrl))
  } finally {
    await prism.stop()
  }
})

test.concurrent('the test against the sandbox passes', async () => {
  const surroundings = { runJobs: true }
  const gateway = await startTestGateway({ connection, surroundings, env: { MALIPO_SANDBOX_DELAY_MS: '0' } })
  try {
    await passes(sourceOf('The sandbox').replace(SHOWN_URL, gateway.url))
  } finally {
    await gateway.stop()
  }
})

test('the test of a receiver passes without any server', () => passes(sourceOf('Callbacks in a unit test')))

testNightly.each(HEADINGS)('%s: the test compiles', (heading) => expect(typeFaults.get(heading)).toEqual([]))
