import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Gateway } from '../server/main.ts'
import { createTestDatabase, type TestDatabase } from '../server/verification/testing/database.ts'
import { DEMO_KEYS, startTestGateway } from '../server/verification/testing/gateway.ts'
import { createMalipo } from './index.ts'

// The client distinguishes the two kinds of 404 by the gateway's message: this test gets the messages from the gateway
// itself.

let database: TestDatabase
let gateway: Gateway
beforeAll(async () => {
  database = await createTestDatabase()
  gateway = await startTestGateway({ connection: database.connection })
})
afterAll(async () => {
  await gateway?.stop()
  await database?.drop()
})

const verifyAt = (baseUrl: string) =>
  createMalipo({ baseUrl, publicKey: DEMO_KEYS['public-key'] }).transactions.verify('ORDER-2026-0404')

test('an unknown transaction is not_found; a wrong path in the base URL never is', async () => {
  await expect(verifyAt(gateway.url)).rejects.toMatchObject({ kind: 'not_found', status: 404 })
  for (const path of ['/api', '/v1/', '/data', '/docs/x', `/${'x'.repeat(200)}`])
    await expect(verifyAt(gateway.url + path), path).rejects.toMatchObject({ kind: 'unexpected_reply', status: 404 })
})
