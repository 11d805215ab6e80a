import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Gateway } from '../../main.ts'
import { createTestDatabase, databaseUrl, type TestDatabase } from '../../testing/database.ts'
import { startTestGateway } from '../../testing/gateway.ts'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { json, malipo, soon, type Environment } from './command-line.ts'

export const MASTER_KEY = 'a master key for tests only, nothing real'

export interface Merchant {
  readonly id: number
  readonly public_key: string
  readonly secret_key: string
  readonly signing_key: string
  readonly webhook_secret: string
}

/** How operators reach a test database. */
export const environmentOf = (database: TestDatabase): Environment => ({
  DATABASE_URL: databaseUrl(database.connection),
  MALIPO_DATA_DIR: tmpdir(),
  MALIPO_MASTER_KEY: MASTER_KEY,
  MALIPO_SANDBOX_DELAY_MS: '50',
})

/** A gateway that works as a served one does, until the end of the test file: on a port of its own, with a quick rail. */
export const startWorkingGateway = ({ connection }: TestDatabase): Promise<Gateway> =>
  startTestGateway({ connection, surroundings: { runWork: true }, env: { MALIPO_SANDBOX_DELAY_MS: '50' } })

export const collection = (reference: string, msisdn = '256772000123') => ({
  transaction_method: 'MOBILE_MONEY',
  provider_code: 'mtn_ug',
  merchant_reference: reference,
  msisdn,
  currency: 'UGX',
  amount: 5000,
  description: 'Order at the desk',
})

/**
 * A gateway on a database of the test file's own, the command line of its operators and a merchant's receiver. To be
 * called once, where the tests are declared.
 */
export function operatedGateway() {
  let database: TestDatabase
  let client: pg.Client
  let gateway: Gateway
  let receiver: Receiver
  let env: Environment

  beforeAll(async () => {
    database = await createTestDatabase()
    env = environmentOf(database)
    client = new pg.Client(database.connection)
    await client.connect()
    gateway = await startWorkingGateway(database)
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await gateway?.stop()
    await receiver?.close()
    await client?.end()
    await database?.drop()
  })

  const api = (path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    fetch(`${gateway.url}${path}`, {
      headers: { 'x-api-version': '1', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const balancesStatus = async ({ public_key }: Pick<Merchant, 'public_key'>, secretKey: string) =>
    (await api('/data/wallet-balances', { 'public-key': public_key, 'secret-key': secretKey })).status
  const run = (args: readonly string[], more: Environment = {}) => malipo(args, { ...env, ...more })
  const printed = <Value = Record<string, unknown>>(args: readonly string[], more: Environment = {}) =>
    json<Value>(args, { ...env, ...more })

  /** A merchant that the running server knows. */
  async function newMerchant(...options: readonly string[]): Promise<Merchant> {
    const merchant = await printed<Merchant>(['merchant', 'create', 'Duka Moja', ...options])
    await soon(
      async () => (await balancesStatus(merchant, merchant.secret_key)) === 200,
      'the server knows the merchant',
    )
    return merchant
  }

  async function collect(
    { public_key }: Pick<Merchant, 'public_key'>,
    reference: string,
    msisdn?: string,
  ): Promise<void> {
    const reply = await api('/collections/initialize', { 'public-key': public_key }, collection(reference, msisdn))
    expect(reply.status, await reply.text()).toBe(202)
  }

  const counted = async (statement: string, values: readonly unknown[]) =>
    (await client.query(statement, [...values])).rowCount

  /** Waits until the transaction has this status. */
  const become = (reference: string, status: string) =>
    soon(
      async () =>
        (await counted('select from transactions where merchant_reference = $1 and status = $2', [
          reference,
          status,
        ])) === 1,
      `${reference} is ${status}`,
    )

  /** Waits until the callback of the transaction is delivered, after so many attempts. */
  const deliveredTimes = (reference: string, attempts: number) =>
    soon(
      async () =>
        (await counted(
          `select from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 and c.status = 'DELIVERED' and c.attempts = $2`,
          [reference, attempts],
        )) === 1,
      `${reference} is delivered, attempt ${attempts}`,
    )

  return {
    api,
    balancesStatus,
    become,
    collect,
    deliveredTimes,
    json: printed,
    malipo: run,
    newMerchant,
    get client() {
      return client
    },
    get database() {
      return database
    },
    get receiver() {
      return receiver
    },
    get url() {
      return gateway.url
    },
  }
}
