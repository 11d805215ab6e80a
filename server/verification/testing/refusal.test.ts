import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import contract from '../../../generated/openapi.json' with { type: 'json' }
import { refusal } from './refusal.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const { examples } = contract.components

test('puts the values of a test into the words of the example, and no other', () => {
  expect(refusal('amount_range', { '500': '3000000', '3000000': '9', UGX: 'KES' })).toBe(
    'amount must be between 3000000 and 9 KES',
  )
  expect(() => refusal('amount_range', { '501': '1' })).toThrow('the example amount_range does not show 501 once')
  expect(() => refusal('banks')).toThrow('banks is no refusal')
})

// Other words for a refusal are written in the code, its unit test, the example and the page "Errors". `… is required`
// is fixed, so tests say it themselves.
test('no test through HTTP repeats the words of an example', () => {
  const messages = Object.values(examples).flatMap(({ value, ...example }) =>
    typeof value !== 'string' &&
    'message' in value &&
    value.status === 'error' &&
    (value.code !== 400 || 'x-business-rule' in example)
      ? [value.message].filter((message) => !message.endsWith(' is required'))
      : [],
  )
  expect(messages.length).toBeGreaterThan(35)
  const files = globSync(['server/verification/end-to-end/**/*.ts', 'contract-tests/parts/**/*.ts'], { cwd: root })
  const repeated = files.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8')
    return messages.filter((message) => text.includes(`'${message}'`)).map((message) => `${file}: ${message}`)
  })
  expect(repeated).toEqual([])
})
