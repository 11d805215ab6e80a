import { tmpdir } from 'node:os'
import pg from 'pg'
import { expect } from 'vitest'
import type { Gateway } from '../../../main.ts'
import { createTestDatabase, databaseEnv, type TestDatabase } from '../../../verification/testing/database.ts'
import { startTestGateway, MASTER_KEY } from '../../../verification/testing/gateway.ts'
import { startReceiver } from '../../../verification/testing/receiver.ts'
import { json, malipo, soon, type Environment } from './command-line.ts'
import { forFile } from '../../../verification/testing/for-file.ts'

export interface Merchant {
  readonly id: number
  readonly public_key: string
  readonly secret_key: string
  readonly signing_key: string
  readonly webhook_secret: string
}

/** The environment of staff commands on a test database. */
export const environmentOf = (database: TestDatabase): Environment => ({
  ...databaseEnv(database.connection),
  MALIPO_DATA_DIR: tmpdir(),
  MALIPO_MASTER_KEY: MASTER_KEY,
  MALIPO_SANDBOX_DELAY_MS: '50',
})

/** A gateway that works as a served one does until the end of the test file: on a port of its own, with a fast rail. */
const startWorkingGateway = ({ connection }: TestDatabase): Promise<Gateway> =>
  startTestGateway({ connection, surroundings: { runJobs: true }, env: { MALIPO_SANDBOX_DELAY_MS: '50' } })

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
 * A gateway on the test file's own database, the command line of its staff, and a merchant's receiver. Await it once,
 * where the tests are declared.
 */
export async function operatedGateway() {
  const database = await forFile(createTestDatabase())
  const client = new pg.Client(database.connection)
  await client.connect()
  await forFile(Promise.resolve({ end: () => client.end() }))
  const receiver = await forFile(startReceiver())
  const { url } = await forFile(startWorkingGateway(database))
  const operators = commandLineOf(database)
  const merchants = merchantsOf(url, operators)
  return { client, database, receiver, url, ...operators, ...merchants, ...waitingOn(client) }
}

type CommandLine = ReturnType<typeof commandLineOf>

/** The command line of this database's staff. */
function commandLineOf(database: TestDatabase) {
  const env = environmentOf(database)
  return {
    malipo: (args: readonly string[], more: Environment = {}) => malipo(args, { ...env, ...more }),
    json: <Value = Record<string, unknown>>(args: readonly string[], more: Environment = {}) =>
      json<Value>(args, { ...env, ...more }),
  }
}

/** What merchants do with the gateway at this address, and how they are created. */
function merchantsOf(url: string, operators: CommandLine) {
  const api = (path: string, headers: Readonly<Record<string, string>>, body?: object) =>
    fetch(`${url}${path}`, {
      headers: { 'x-api-version': '1', ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const balancesStatus = async ({ public_key }: Pick<Merchant, 'public_key'>, secretKey: string) =>
    (await api('/data/wallet-balances', { 'public-key': public_key, 'secret-key': secretKey })).status

  /** Creates a merchant that the running server has loaded. */
  async function newMerchant(...options: readonly string[]): Promise<Merchant> {
    const merchant = await operators.json<Merchant>(['merchant', 'create', 'Duka Moja', ...options])
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

  return { api, balancesStatus, newMerchant, collect }
}

/** Waits for states that only the database shows. */
function waitingOn(client: pg.Client) {
  const isThere = async (statement: string, values: unknown[]) => (await client.query(statement, values)).rowCount === 1
  return {
    /** Waits until the transaction has this status. */
    become: (reference: string, status: string) =>
      soon(
        () => isThere('select from transactions where merchant_reference = $1 and status = $2', [reference, status]),
        `${reference} is ${status}`,
      ),
    /** Waits until the callback of the transaction is delivered, after this many attempts. */
    deliveredTimes: (reference: string, attempts: number) =>
      soon(
        () =>
          isThere(
            `select from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 and c.status = 'DELIVERED' and c.attempts = $2`,
            [reference, attempts],
          ),
        `${reference} is delivered, attempt ${attempts}`,
      ),
  }
}
