import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, parseDocument } from '../../reading/contract.ts'
import { operationsOf } from '../../reading/operations.ts'
import { fieldReader } from './fields.ts'

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
