import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../reading/contract.ts'
import type { OpenApiDocument, Schema } from '../reading/document.ts'
import { boundClaims, staleClaims } from './bounds-in-texts.ts'
import { plainName, sentFields } from './bounds-of-fields.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = [
  'README.md',
  'openapi/pages/*.md',
  'openapi/code-samples/*/*',
  'client/**/*.{ts,md}',
  'server/payment-page/texts/*.ts',
  'server/payment-page/testing/*.ts',
]
  .flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: (path) => /node_modules|\/dist\/|\.test\.ts|CHANGELOG/.test(path) }),
  )
  .map((path) => ({ where: path, text: readFileSync(root + path, 'utf8') }))
const text = readFileSync(bundleUrl, 'utf8')
const document: OpenApiDocument = parseDocument(text)
const claims = boundClaims(document, files)

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum'] as const
type Bound = (typeof BOUNDS)[number]

/** The claims that become false in a copy of the contract with another bound. */
function staleWith(name: string, bound: Bound, change: (value: number) => number): readonly string[] {
  const schemas = sentFields(document).get(plainName(name)) as Partial<Record<Bound, number>>[]
  const before = schemas.map((schema) => schema[bound])
  for (const schema of schemas) if (schema[bound] !== undefined) schema[bound] = change(schema[bound])
  const stale = staleClaims(claims)
  for (const [index, value] of before.entries()) if (value !== undefined) schemas[index]![bound] = value
  return stale
}

test('the numbers in texts are those of the contract', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(claims.length).toBeGreaterThan(60)
  expect(staleClaims(claims)).toEqual([])
})

test('a changed bound of description names every text that has the old one', () => {
  const named = [
    '#/components/schemas/TransactionDescription/description: "10 to 30 characters"',
    '#/components/examples/description_length/value/message: "10 to 30 characters"',
    'openapi/pages/errors.md: "10 to 30 characters"',
    'openapi/pages/what-the-description-leaves-open.md: "10 to 30 characters"',
  ]
  expect(staleWith('description', 'maxLength', () => 40).toSorted()).toEqual(named.toSorted())
  expect(staleWith('description', 'minLength', () => 5).toSorted()).toEqual(named.toSorted())
})

test.each([
  ['merchant_reference', ['openapi/pages/errors.md', 'client/toolbox/impossible.ts', 'schemas/MerchantReference/']],
  ['account_number', ['texts/en.ts', 'texts/fr.ts', 'texts/pt.ts', 'texts/sw.ts', 'schemas/BankAccountNumber/x-p']],
  ['Idempotency-Key', ['client/options.ts', 'openapi/pages/idempotency-and-retries.md', 'openapi/pages/errors.md']],
  ['provider_code', ['openapi/pages/errors.md', 'examples/provider_code_length', 'schemas/RequestedProviderCode/']],
  ['card_cipher', ['openapi/pages/what-the-description-leaves-open.md', 'card_cipher/x-pattern-message']],
  ['internal_reference', ['openapi/pages/errors.md', 'schemas/InternalReference/description']],
  ['branch_code', ['branch_code/x-pattern-message']],
])('a longer %s names %j', (name, places) => {
  const stale = staleWith(name, 'maxLength', (value) => value + 1)
  for (const place of places)
    expect(
      stale.some((claim) => claim.includes(place)),
      `${place}: ${stale.join()}`,
    ).toBe(true)
})

test('a changed bound of otp names schema, page and message', () => {
  for (const bound of ['minimum', 'maximum'] as const)
    expect(staleWith('otp', bound, (value) => value * 10).join('\n')).toMatch(/errors\.md(?:.|\n)*leaves-open\.md/)
  expect(staleWith('otp', 'minimum', () => 10_000).join()).toContain('at least 4 digits')
})

test('each bound of what merchants send is stated in a compared text, or in none', () => {
  const unnamed = [...sentFields(document)].flatMap(([name, schemas]) =>
    BOUNDS.filter((bound) => schemas.some((schema: Schema) => schema[bound] !== undefined))
      .filter((bound) => staleWith(name, bound, (value) => value + 1).length === 0)
      .map((bound) => `${name} ${bound}`),
  )
  // No text states these. A text that starts to state one is compared, and its line here must go.
  expect(unnamed).toEqual([
    'acceptlanguage maxLength',
    'traceparent maxLength',
    'amount minimum',
    'amount maximum',
    'customername minLength',
    'customername maxLength',
    'customeremail minLength',
    'customeremail maxLength',
    'redirecturl minLength',
    'redirecturl maxLength',
    'minamount minimum',
    'minamount maximum',
    'maxamount minimum',
    'maxamount maximum',
    'from minLength',
    'from maxLength',
    'to minLength',
    'to maxLength',
    'after minimum',
    'after maximum',
  ])
})
