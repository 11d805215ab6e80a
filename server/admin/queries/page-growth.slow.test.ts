import { expect } from 'vitest'
import { databaseTest } from '../../verification/testing/database-test.ts'
import { testNightly } from '../../verification/testing/nightly.ts'
import { GROWTH_MAX, LEVELS, pageReads } from './testing/page-reads.ts'

const TIMEOUT_MS = 30 * 60_000

const { pool, connection } = await databaseTest({ connectionsMax: 1 })

testNightly('a page reads as much of many payments as of few', { timeout: TIMEOUT_MS }, async () => {
  const reads = await pageReads(pool, connection, [50_000, 500_000])
  console.table(Object.fromEntries([...reads].map(([name, [few, many]]) => [name, { few, many, ratio: many / few }])))
  expect([...reads].filter(([, [few, many]]) => many > GROWTH_MAX * few + LEVELS)).toEqual([])
})
