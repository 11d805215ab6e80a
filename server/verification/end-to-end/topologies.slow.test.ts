import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../config.ts'
import { present } from '../../domain/present.ts'
import { bankCollection } from '../testing/client-requests.ts'
import { databaseUrl } from '../testing/database.ts'
import { databaseTest } from '../testing/database-test.ts'
import { forFile } from '../testing/for-file.ts'
import { gatewayProcesses } from '../testing/gateway-processes.ts'
import { MASTER_KEY } from '../testing/gateway.ts'
import { OPERATORS_BOOK } from '../testing/operators-book.ts'
import { openPage, redirectOf, submitForm } from '../testing/page-visit.ts'
import { startReceiver } from '../testing/receiver.ts'
import { collect, payOut, postJson, send, uniqueReference } from '../testing/requests.ts'
import { byForm } from '../testing/sandbox-rails.ts'
import { runCli, until } from '../testing/served-gateway.ts'
import { verdictsOnCallback, verdictsOnRedirect, type MerchantSecrets } from '../testing/signatures.ts'

// Several processes are one gateway: real `malipo serve` processes on one PostgreSQL, without a common folder. Two
// gateways in one process share limits in account-bounds.test.ts and amounts-and-limits.test.ts; payments over many
// processes, with faults, are the drill's (`npm run chaos`).

const SOON_MS = 60_000
/**
 * "Seen by all processes within a second" is a rule of the product, so this test does enforce a time: a second from the
 * end of the command, plus half a second for a busy machine.
 */
const SEEN_WITHIN_MS = 1_000 + 500
const SHOP = 'https://shop.example/done?order=7'

interface Merchant extends MerchantSecrets {
  readonly public_key: string
  readonly secret_key: string
}

const { pool, connection } = await databaseTest({ template: 'template0' })
const receiver = await forFile(startReceiver())
const env = {
  DATABASE_URL: databaseUrl(connection),
  MALIPO_MASTER_KEY: MASTER_KEY,
  // Over the wire the gateway confirms each message with a status query: a result that is corrected stands for this
  // long.
  MALIPO_SANDBOX_DELAY_MS: byForm('50', '1000'),
  PAYMENT_PAGE_BASE_URL: 'https://pay.example',
}
const { start, endAll, folder } = gatewayProcesses(env)
// All at once on an empty database: one process migrates it, the others wait for that.
const processes = await Promise.all(
  (['api', 'api', 'worker', 'worker'] satisfies Role[]).map((role) => start({ role })),
)
const apis = processes.filter(({ role }) => role === 'api').map(({ url }) => url)
const workers = processes.filter(({ role }) => role === 'worker')
const [first, second] = apis as [string, string]

const malipo = async <Printed>(...args: readonly string[]) =>
  JSON.parse(await runCli([...args, '--json'], join(folder, 'operator'), env)) as Printed
const merchant = await malipo<Merchant>(
  'merchant',
  'create',
  'Duka Moja',
  ...['--collection-callback-url', '--payout-callback-url', '--verification-url'].flatMap((name) => [
    name,
    receiver.url,
  ]),
)
const keys = { 'public-key': merchant.public_key, 'secret-key': merchant.secret_key }
await malipo('wallet', 'deposit', merchant.public_key, 'UGX', '1000000')
const walletStatus = async (api: string, secretKey: string) =>
  (await send(api, 'GET', '/data/wallet-balances', { headers: { ...keys, 'secret-key': secretKey } })).status

/** Each API process on its own sees it, within the second that the product promises. */
const everywhere = (what: string, isSeen: (api: string) => Promise<boolean>) =>
  Promise.all(apis.map((api) => until(() => isSeen(api), SEEN_WITHIN_MS, `${what} is seen at ${api}`)))
await everywhere('the new merchant', async (api) => (await walletStatus(api, merchant.secret_key)) === 200)

const publicPem = async (api = first): Promise<string> => (await fetch(`${api}/.well-known/malipo-rsa.pem`)).text()
const completed = (reference: string) =>
  until(
    async () => {
      const { body } = await send(first, 'GET', `/data/transaction/verify/${reference}`, { headers: keys })
      return body.data.transaction_status === 'COMPLETED'
    },
    SOON_MS,
    `${reference} is completed`,
  )
const noJobLeft = () =>
  until(async () => (await pool.query('select from jobs')).rowCount === 0, SOON_MS, 'no job is left')
const callbackOf = async (reference: string) => {
  await until(() => receiver.about(reference).length > 0, SOON_MS, `the callback of ${reference}`)
  return present(receiver.about(reference)[0], 'the callback')
}

test('of fifty requests with one reference at all processes exactly one is accepted', async () => {
  const merchant_reference = uniqueReference()
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => collect(n % 2 === 0 ? first : second, { merchant_reference }, keys)),
  )
  const counts = Map.groupBy(replies, ({ status }) => status)
  expect([counts.get(202)?.length, counts.get(409)?.length]).toEqual([1, 49])
  await completed(merchant_reference)
})

test("each process replays an Idempotency-Key's first reply and refuses another body", async () => {
  const headers = { ...keys, 'idempotency-key': uniqueReference() }
  const changes = { merchant_reference: uniqueReference(), msisdn: '256772000123' }
  const { body } = await collect(first, changes, headers)
  const again = await collect(second, changes, headers)
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', body])
  expect((await collect(second, { ...changes, amount: 6_000 }, headers)).status).toBe(409)
})

test('a payout is verified, held, submitted and reported by whichever worker', async () => {
  const merchant_reference = uniqueReference()
  expect((await payOut(second, { merchant_reference }, keys)).status).toBe(202)
  await completed(merchant_reference)
  const callback = await callbackOf(merchant_reference)
  expect(verdictsOnCallback(callback, merchant, await publicPem())).toEqual({ hmac: true, rsa: true, webhook: true })
})

// Every process leads back to the shop.
test("a bank's page is opened at one process and confirmed at another", async () => {
  const request = bankCollection({ redirect_url: SHOP })
  const { body } = await postJson(first, '/collections/initialize', request, keys)
  const paymentUrl = String(body.data.payment_url)
  expect(paymentUrl).toMatch(/^https:\/\/pay\.example\/pay\/collection\/MLP/)
  const bank = { bank_code: 'access_bank_ng', account_number: '0123456123' }
  expect((await submitForm(second, await openPage(first, paymentUrl), 'confirm', bank)).status).toBe(303)
  await completed(request.merchant_reference)
  for (const api of apis) {
    const address = present(await redirectOf(api, paymentUrl), 'where the page leads')
    expect(address).toContain(SHOP)
    expect(verdictsOnRedirect(address, merchant.signing_key, await publicPem(api))).toEqual({ hmac: true, rsa: true })
  }
})

describe('every process applies a staff command within a second:', () => {
  const rotate = (kind: string) =>
    malipo<Merchant>('keys', 'rotate', merchant.public_key, '--kind', kind, '--keep-old', '0')

  test('a callback URL and the keys that sign callbacks, by each worker', async () => {
    for (const [n, worker] of workers.entries()) {
      // A worker that stands still keeps its jobs for half a minute.
      await noJobLeft()
      const url = `${receiver.url}/${n}`
      const [{ signing_key }, { webhook_secret }] = await Promise.all([
        rotate('signing_key'),
        rotate('webhook_secret'),
        malipo('merchant', 'set', merchant.public_key, '--collection-callback-url', url),
        malipo('keys', 'rotate', '--rsa'),
      ])
      const isApplied = async () => {
        const reference = uniqueReference()
        await collect(first, { merchant_reference: reference }, keys)
        const callback = await callbackOf(reference)
        const verdicts = verdictsOnCallback(callback, { signing_key, webhook_secret }, await publicPem())
        return callback.path === new URL(url).pathname && Object.values(verdicts).every(Boolean)
      }
      // The others stand still: whatever is done meanwhile, this worker has done.
      const others = workers.filter((other) => other !== worker)
      for (const { child } of others) child.kill('SIGSTOP')
      await until(isApplied, SEEN_WITHIN_MS, `what worker ${n} sends, and where`).finally(() => {
        for (const { child } of others) child.kill('SIGCONT')
      })
    }
  })

  test('a secret key, and the end of the old one', async () => {
    const { secret_key } = await rotate('secret_key')
    await everywhere(
      'the new secret key',
      async (api) =>
        (await walletStatus(api, secret_key)) === 200 && (await walletStatus(api, merchant.secret_key)) === 401,
    )
  })
})

// The last test: it ends the processes.
test('nothing was done twice, and every process stops cleanly with an empty log', async () => {
  await noJobLeft()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect((await pool.query(`select from ${OPERATORS_BOOK} o where transfers > 1`)).rowCount).toBe(0)
  expect(await malipo('doctor')).toMatchObject({ clean: true })
  expect(await endAll('SIGTERM')).toEqual(processes.map(() => 0))
  const lines = processes.flatMap(({ output }) => output().split('\n')).filter((line) => line.startsWith('{'))
  expect(lines.filter((line) => !line.includes('"started as root'))).toEqual([])
})
