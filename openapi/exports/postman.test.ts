import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { bundleUrl, readContract } from '../reading/contract.ts'
import { listOf, objectOf, textOf, type Json, type JsonObject } from '../reading/json.ts'
import { DEMO_KEYS } from '../../server/verification/testing/gateway.ts'
import { collectionFormat } from './postman-format.ts'
import { requestsOf } from './postman.ts'
import { runPostman, type SentItem } from './run-postman.ts'
import { ownGatewayTest } from '../../contract-tests/harness/testing/own-gateway-test.ts'

const operations = readContract(bundleUrl).operations.filter(({ kind }) => kind === 'operation')
const collection = JSON.parse(
  readFileSync(new URL('../../generated/malipo.postman_collection.json', import.meta.url), 'utf8'),
) as JsonObject
const items = listOf(collection.item)
  .map(objectOf)
  .flatMap((folder) => listOf(folder.item).map(objectOf))

/** More than the usual delay of the rails. */
const RAILS_MS = 5_000

const { gateway } = await ownGatewayTest()

/** Twice, as people do: nothing of the first run may stand in the way of the second. */
async function runTwice(): Promise<SentItem[]> {
  const run = () =>
    runPostman(collection, {
      baseUrl: gateway.url,
      afterEach: async () => {
        await gateway.own.advance(0)
        await gateway.own.advance(RAILS_MS)
      },
    })
  return [...(await run()), ...(await run())]
}

test('every request of the collection gets its expected status on a sandbox, twice', async () => {
  const sent = await runTwice()
  expect(
    sent
      // After each request the clock moves on: the payout is final before it is cancelled.
      .filter(({ name }) => !name.startsWith('Cancel a payout'))
      .flatMap(({ name, failed, body }) => failed.map((why) => `${name}: ${why}: ${JSON.stringify(body)}`)),
  ).toEqual([])
  expect(sent.every(({ expected }) => expected > 0)).toBe(true)
  expect(sent).toHaveLength(2 * items.length)
})

test('every operation, and every example of a request, is in the collection', () => {
  const examples = operations.flatMap((operation) =>
    requestsOf(operation).map(({ name }) => (name ? `${operation.summary}: ${name}` : operation.summary)),
  )
  const names = items.map(({ name }) => textOf(name))
  expect(examples.length).toBeGreaterThanOrEqual(11)
  expect(examples.filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('saves every example reply of the contract beside its operation, with its status', () => {
  const shown = operations.flatMap(({ responses }) => responses)
  const saved = items.flatMap(({ response }) => listOf(response).map(objectOf))
  expect(new Set(saved.map(({ code }) => textOf(code)))).toEqual(new Set(shown.map(({ status }) => status)))
  expect(saved.filter(({ code, body }) => objectOf(JSON.parse(textOf(body)) as Json).code !== code)).toEqual([])
  expect(saved.length).toBeGreaterThan(100)
})

test('the variables are the address and the keys of the sandbox', () => {
  expect(listOf(collection.variable)).toEqual([
    { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
    { key: 'publicKey', value: DEMO_KEYS['public-key'] },
    { key: 'secretKey', value: DEMO_KEYS['secret-key'] },
    { key: 'merchantReference', value: '' },
    { key: 'internalReference', value: '' },
    { key: 'collectionReference', value: '' },
    { key: 'batchReference', value: '' },
  ])
})

test('the collection has the shape of Postman collections v2.1.0', () => {
  const ajv = new Ajv({ allErrors: true })
  expect(ajv.validate(collectionFormat, collection), ajv.errorsText()).toBe(true)
})
