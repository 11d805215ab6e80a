import { expect, test } from 'vitest'
import { present } from '../domain/present.ts'
import { databaseTest } from '../verification/testing/database-test.ts'
import { columns, jsonRows, type Row } from './rows.ts'

interface AllColumnKinds {
  readonly id: bigint
  readonly isActive: boolean
  readonly sealedKey: Uint8Array
  readonly triesLeft: number
  readonly outcome: object
  readonly merchantReference: string
  readonly redirectHosts: readonly string[]
  readonly createdAt: Date
  readonly finalAt?: Date
}
const EVERYTHING = columns<AllColumnKinds>({
  id: 'bigint',
  isActive: 'boolean',
  sealedKey: 'bytea',
  triesLeft: 'int',
  outcome: 'json',
  merchantReference: 'text',
  redirectHosts: 'text[]',
  createdAt: 'timestamptz',
  finalAt: 'timestamptz',
})

const { pool } = await databaseTest({ connectionsMax: 1 })

const everything: AllColumnKinds = {
  id: 9_223_372_036_854_775_807n,
  isActive: false,
  sealedKey: new Uint8Array([0, 92, 255]),
  triesLeft: -1,
  outcome: { result: 'accepted', of: ['a', null] },
  merchantReference: `ORDER "1" \\ 'é'`,
  redirectHosts: ['shop.example', 'a,b'],
  createdAt: new Date('2026-03-01T08:00:00.123Z'),
}

test('every column type survives the round trip to PostgreSQL', async () => {
  const whole = { ...everything, finalAt: new Date('2026-03-02T00:00:00Z') }
  const { rows } = await pool.query<Row<AllColumnKinds>>(
    `select ${EVERYTHING.names('r')} from json_to_recordset($1) as r(${EVERYTHING.definition})`,
    [EVERYTHING.json([whole, everything])],
  )
  const [first, second] = rows.map((row) => EVERYTHING.toFields(row))
  const read = present(first, 'the first row')
  expect({ ...read, sealedKey: new Uint8Array(read.sealedKey) }).toEqual(whole)
  // An absent field is null in the row, and absent again in the object.
  expect(rows[1]?.final_at).toBeNull()
  expect(second).not.toHaveProperty('finalAt')
})

test('columns are named as the fields are, with underscores', () => {
  expect(EVERYTHING.names()).toMatch(/^id, is_active, sealed_key, tries_left, outcome, merchant_reference/)
  expect(EVERYTHING.names('e')).toMatch(/^e\.id, e\.is_active/)
  expect(EVERYTHING.definition).toMatch(/^id bigint, is_active boolean, sealed_key bytea/)
})

test('properties without a column do not reach the database', () => {
  const more = { ...everything, note: 'for nobody' }
  expect(EVERYTHING.json([more])).not.toContain('for nobody')
})

test("whole numbers beyond JSON's range are sent as exact text", () => {
  expect(jsonRows([{ id: 9_007_199_254_740_993n }])).toBe('[{"id":"9007199254740993"}]')
})
