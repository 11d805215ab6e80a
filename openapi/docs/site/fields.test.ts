import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../../reading/contract.ts'
import { operationsOf } from '../../reading/operations.ts'
import { fieldReader } from './fields.ts'
import { operationPages } from './operation-page.ts'

const contract = parseDocument(readFileSync(bundleUrl, 'utf8'))

test('a field whose values differ by variant lists the values of all variants', () => {
  const verify = operationsOf(contract).find(({ id }) => id === 'verifyTransaction')
  const schema = verify?.responses.find(({ status }) => status === '200')?.schema ?? {}
  const fields = fieldReader(contract)
    .groupsOf(schema, 'Common fields')
    .flatMap((group) => group.fields)
  const named = (name: string) => fields.find((field) => field.name === name)
  expect(named('data.transaction_type')?.values).toEqual(['COLLECTION', 'PAYOUT'])
  expect(named('data.transaction_status')?.values).toEqual(
    expect.arrayContaining(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  )
  // A payout has no charge to anybody else.
  expect(named('data.total_credit')?.isRequired).toBe(false)
})

test('replies with the same meaning share one heading', () => {
  const handshake = operationsOf(contract).find(({ id }) => id === 'payoutHandshake')
  if (handshake === undefined) throw new Error('the contract has no handshake')
  const { body } = operationPages(contract)(handshake, { slug: '', title: '', group: '', about: '', markdown: '' })
  expect([...body.matchAll(/<h[23] id="(?:reply|error)-[^"]*">([^<]+) </g)].map(([, title]) => title)).toEqual([
    'Your answer 2xx',
    '408, 425, 429, 3xx, 5xx',
    'Other 4xx',
  ])
})
