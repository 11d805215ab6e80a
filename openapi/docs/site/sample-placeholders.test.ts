import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../../reading/contract.ts'
import { operationsOf } from '../../reading/operations.ts'
import { DEMO_KEYS } from '../console-model.ts'
import { fenceOf } from '../operation-page.ts'
import { codeBlock, WRITTEN_ADDRESS } from './highlight.ts'

const operations = operationsOf(parseDocument(readFileSync(bundleUrl, 'utf8'))).filter(
  ({ kind }) => kind === 'operation',
)
const samples = operations.flatMap((operation) =>
  operation.samples.map((sample) => [`${operation.id} in ${sample.label}`, sample, operation] as const),
)

test.each(samples)(
  "the sample of %s takes the reader's address and keys wherever it uses them",
  (_, sample, { keys }) => {
    const shown = codeBlock(sample.source, fenceOf(sample))
    const values = { 'base-url': WRITTEN_ADDRESS, ...DEMO_KEYS }
    const marked = (name: string) => shown.split(`<span data-reader-value="${name}">`).length - 1
    for (const [name, value] of Object.entries(values))
      expect([name, marked(name)]).toEqual([name, sample.source.split(value).length - 1])
    for (const name of ['base-url', ...keys.map(({ header }) => header)]) expect(marked(name), name).toBeGreaterThan(0)
  },
)

test('highlights no words of our own commands', () => {
  expect(codeBlock('npm run malipo -- merchant set 1 # now', 'sh')).toMatch(
    /merchant set 1 <span class="hljs-comment">/,
  )
})
