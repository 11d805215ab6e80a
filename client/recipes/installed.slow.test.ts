import { freePort } from '../../server/verification/testing/free-port.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_MERCHANT } from '../../server/local/sandbox/providers.ts'
import { openPage, redirectOf, submitForm } from '../../server/verification/testing/page-visit.ts'
import { postJson, uniqueReference, verify } from '../../server/verification/testing/requests.ts'
import { until } from '../../server/verification/testing/served-gateway.ts'
import { packOnce } from '../packaging/testing/packed.ts'
import type { Outcome, Task } from './testing/merchant.ts'
import { RECIPES, type Recipe } from './testing/recipe-servers.ts'
import { gatewayTest } from '../../server/verification/testing/gateway-test.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'

// The setup of a merchant's developer: a folder outside the project that has installed the packed tarball, the recipes
// in it, and a running sandbox.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WAIT_MS = 60_000
const INSTALL_MS_MAX = 300_000
const { webhookSecret, signingKey } = DEMO_MERCHANT.keys

/** Where each recipe runs in turn, so that the merchant's settings stay the same between them. */
const port = await freePort()
const shopUrl = `http://127.0.0.1:${port}`
const packed = await forFile(packOnce(), { withinMs: INSTALL_MS_MAX })
const project = await packed.install('recipes')
await cp(join(ROOT, 'client', 'recipes'), join(project, 'shop'), {
  recursive: true,
  filter: (path) => !path.endsWith('.test.ts'),
})
// Without it `npm init` creates a CommonJS project, and the package has ES modules.
await writeFile(join(project, 'shop', 'package.json'), '{ "private": true, "type": "module" }')
for (const name of ['express', 'fastify', 'hono'])
  await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
// On the real clock: receivers reject anything older than five minutes.
const { gateway } = await gatewayTest({
  clock: 'real',
  surroundings: { runJobs: true },
  env: { MALIPO_SANDBOX_DELAY_MS: '0' },
})
await gateway.pool.query(
  "update merchants set collection_callback_url = $1, payout_callback_url = $1, verification_url = $2 where public_key = 'pub_sandbox_demo'",
  [`${shopUrl}/callbacks`, `${shopUrl}/handshake`],
)
await gateway.refresh()

interface Merchant {
  /** File URL of the client that it uses. */
  readonly client: string
  /** Fails the test with the error that the merchant's program threw. */
  do(task: Task): Promise<Outcome>
  stop(): Promise<void>
}

/**
 * Starts the merchant's program in its folder, with the keys that a merchant has and without the tests' environment.
 */
async function startMerchant(recipe: Recipe): Promise<Merchant> {
  const { PATH } = process.env
  const child = fork(join(project, 'shop', 'testing', 'merchant.ts'), [recipe, String(port)], {
    cwd: project,
    execPath: process.execPath,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH,
      MALIPO_URL: gateway.url,
      MALIPO_SECRET_KEY: 'sec_sandbox_demo',
      MALIPO_WEBHOOK_SECRET: webhookSecret,
      MALIPO_SIGNING_KEY: signingKey,
    },
  })
  const complaints: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => void complaints.push(chunk.toString()))
  const outcome = async () => nextOutcome(child).catch((error) => expect.fail(`${error}\n${complaints.join('')}`))
  const { client = '' } = await outcome()
  return {
    client,
    async do(task) {
      const done = outcome()
      child.send(JSON.stringify(task))
      return done
    },
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** @throws Error when the program exits instead, or reports that the task failed */
async function nextOutcome(child: ChildProcess): Promise<Outcome> {
  const received = new AbortController()
  const [text] = (await Promise.race([
    once(child, 'message', received),
    once(child, 'exit', received).then(([code]) => {
      throw new Error(`the recipe ended with ${code}`)
    }),
  ]).finally(() => received.abort())) as [string]
  const outcome = JSON.parse(text) as Outcome
  if (outcome.error !== undefined) throw new Error(outcome.error)
  return outcome
}

describe.each(RECIPES)('%s', (recipe) => {
  let merchant: Merchant
  beforeAll(async () => {
    merchant = await startMerchant(recipe)
  })
  afterAll(() => merchant?.stop())

  const booked = async (reference: string) => (await merchant.do({ type: 'look up', reference })).status
  const seen = (reference: string, status: string) =>
    until(async () => (await booked(reference)) === status, WAIT_MS, `${reference} is booked as ${status}`)
  const statusOf = async (reference: string) => (await verify(gateway.url, reference)).body.data
  const show = async (url: string) => fetch(url).then(async (reply) => [reply.status, await reply.text()])

  const byBank = (reference: string) =>
    ({
      transaction_method: 'BANK',
      provider_code: 'bank_ng',
      merchant_reference: reference,
      currency: 'NGN',
      amount: 5000,
      description: 'School fees of March',
      redirect_url: `${shopUrl}/paid?term=2`,
    }) as const
  const toPhone = (reference: string) =>
    ({
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: reference,
      account_number: '256772000123',
      customer_name: 'Amina Nakato',
      currency: 'UGX',
      amount: 5000,
      description: 'Coffee farmer March',
    }) as const

  /** Pays as a customer does, with forms, and returns the address of the page's link back. */
  async function payOnPage(request: ReturnType<typeof byBank>, accountNumber: string): Promise<string> {
    const { paymentUrl = '' } = await merchant.do({ type: 'collect', request })
    const paid = await submitForm(gateway.url, await openPage(gateway.url, paymentUrl), 'confirm', {
      bank_code: 'access_bank_ng',
      account_number: accountNumber,
    })
    expect(paid.status).toBe(303)
    await until(
      async () => (await redirectOf(gateway.url, paymentUrl)) !== undefined,
      WAIT_MS,
      'the page leads back to the shop',
    )
    return String(await redirectOf(gateway.url, paymentUrl))
  }

  test('runs the installed package, not the sources', () => {
    expect(merchant.client).toBe(
      pathToFileURL(join(project, 'node_modules', '@malipo', 'client', 'dist', 'client', 'index.js')).href,
    )
  })

  test('books a collection paid on the payment page, and thanks its customer', async () => {
    const reference = uniqueReference()
    const back = await payOnPage(byBank(reference), '0123456123')
    expect(new URL(back).searchParams.get('term')).toBe('2')
    expect(await show(back)).toEqual([200, 'Thank you!'])
    await seen(reference, 'COMPLETED')
  })

  test('books a failed collection as failed, and its address cannot become a thank-you', async () => {
    const reference = uniqueReference()
    const back = await payOnPage(byBank(reference), '0123456456')
    expect(await show(back)).toEqual([200, 'The payment did not go through.'])
    expect(
      await show(back.replace('=FAILED', '=COMPLETED').replace('=transaction.failed', '=transaction.completed')),
    ).toEqual([400, 'wrong_signature'])
    await seen(reference, 'FAILED')
  })

  test('a payout of the shop passes its handshake and is booked', async () => {
    const reference = uniqueReference()
    await merchant.do({ type: 'pay', request: toPhone(reference) })
    await seen(reference, 'COMPLETED')
  })

  test('the handshake stops a payout sent with the stolen key', async () => {
    const reference = uniqueReference()
    const { status } = await postJson(gateway.url, '/payout/send-funds', toPhone(reference), {
      'secret-key': 'sec_sandbox_demo',
    })
    expect(status).toBe(202)
    await until(
      async () => (await statusOf(reference)).transaction_status === 'FAILED',
      WAIT_MS,
      'the payout is rejected',
    )
    expect(await statusOf(reference)).toMatchObject({
      status_message: "Payout rejected by the merchant's verification URL (HTTP 404)",
      total_debit: 0,
    })
  })
})
