import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../server/domain/present.ts'
import { forFile } from '../../server/verification/testing/for-file.ts'
import { freePort } from '../../server/verification/testing/free-port.ts'
import { startReceiver, type Receiver } from '../../server/verification/testing/receiver.ts'
import {
  collect,
  mobileMoneyPayout,
  postJson,
  uniqueMsisdn,
  uniqueReference,
} from '../../server/verification/testing/requests.ts'
import { until } from '../../server/verification/testing/served-gateway.ts'
import { handshakes, webhooks } from '../index.ts'
import { attachSandbox } from '../testing.ts'
import { listeningAt, sandboxes, WAIT_MS } from './testing/listening.ts'
import { startFastifyShop } from './testing/shop.ts'
import { run } from './testing/terminal.ts'

// The toolbox and the shop against a real sandbox: the real gateway, the real clock, and jobs that run by themselves.

const SECRET = 'whsec_c2FuZGJveC1kZW1vLXdlYmhvb2stc2VjcmV0IQ=='

const startGateway = await sandboxes()
/** One test restarts it. */
let gateway = await startGateway()
afterAll(() => gateway.stop())
const { folder, listen, takeLast } = listeningAt(() => gateway.url)

/** The JSON of the reply, with the type that the caller gives. */
const requestFor = async <Value>(...request: Parameters<typeof fetch>) =>
  JSON.parse(await (await fetch(...request)).text()) as Value

describe('listen', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  test('forwards callbacks byte for byte, with valid signatures, and prints the reply', async () => {
    const terminal = await listen('--forward-to', receiver.url)
    const merchantReference = uniqueReference()
    await collect(gateway.url, { merchant_reference: merchantReference, customer_name: 'Amína Nakató' })
    await until(() => receiver.received.length > 0, WAIT_MS, 'the callback was forwarded')
    const [{ headers, body }] = receiver.received as [Receiver['received'][number]]
    const { payload, webhookId } = await webhooks.verify(body, headers, SECRET)
    expect(payload).toMatchObject({
      merchant_reference: merchantReference,
      transaction_status: 'COMPLETED',
      customer_name: 'Amína Nakató',
    })
    await webhooks.verifyLegacy(body, headers, {
      signingKeys: 'SANDBOXDEMOSIGNKEY01',
      rsaPublicKeys: {
        [String(headers['rsa-key-id'])]: await (await fetch(`${gateway.url}/.well-known/malipo-rsa.pem`)).text(),
      },
    })
    await until(() => terminal.printed.some((line) => line.includes('← 200')), WAIT_MS, 'the answer is printed')
    expect(terminal.printed.join('\n')).toMatch(
      new RegExp(`transaction\\.completed ${merchantReference} COMPLETED ${webhookId}`),
    )
    expect(terminal.printed.join('\n')).toMatch(/POST \/collections\/initialize 202 in \d+ ms/)
  })

  test('shows each callback once, also when more arrive at once than the inbox lists', async () => {
    // Polls so rarely that the list of the inbox, 100 messages, no longer contains them all.
    const terminal = await listen('--forward-to', receiver.url, '--interval-ms', '5000')
    const references = Array.from({ length: 130 }, () => uniqueReference())
    await Promise.all(
      references.map((merchantReference) => collect(gateway.url, { merchant_reference: merchantReference })),
    )
    const forwarded = () =>
      receiver.received
        .map(({ json }) => String(json.payload.merchant_reference))
        .filter((reference) => references.includes(reference))
    // An earlier callback may still be in flight: only these count.
    await until(() => new Set(forwarded()).size === references.length, WAIT_MS, 'all were forwarded')
    expect(forwarded().toSorted()).toEqual(references.toSorted())
    expect(terminal.complained).toEqual([])
  })

  test('shows handshakes too, and forwards them to the given URL', async () => {
    const url = `${new URL(receiver.url).origin}/handshake?shop=1`
    await listen('--forward-handshakes-to', url, '--events', 'handshake', '--header', 'X-Tenant: 7')
    const merchantReference = uniqueReference()
    const { status } = await postJson(
      gateway.url,
      '/payout/send-funds',
      {
        transaction_method: 'MOBILE_MONEY',
        provider_code: 'mtn_ug',
        merchant_reference: merchantReference,
        account_number: '256772000123',
        customer_name: 'Amina Nakato',
        currency: 'UGX',
        amount: 5_000,
        description: 'Coffee farmer March',
      },
      { 'secret-key': 'sec_sandbox_demo' },
    )
    expect(status).toBe(202)
    await until(() => receiver.received.length > 0, WAIT_MS, 'the handshake was forwarded')
    const [{ path, headers, body }] = receiver.received as [Receiver['received'][number]]
    expect({ path, body, tenant: headers['x-tenant'] }).toEqual({
      path: `/handshake?shop=1&reference=${merchantReference}`,
      body: '',
      tenant: '7',
    })
    expect(await handshakes.verify(path, headers, SECRET)).toMatchObject({ merchantReference })
  })

  test('forwards the handshake of a batch as it came, with its signed body', async () => {
    const asksOnce = async (isOn: boolean) => {
      await gateway.pool.query("update merchants set batch_handshake = $1 where public_key = 'pub_sandbox_demo'", [
        isOn,
      ])
      await gateway.refresh()
    }
    await asksOnce(true)
    await listen('--forward-handshakes-to', `${new URL(receiver.url).origin}/handshake`, '--events', 'handshake')
    const batch = { batch_reference: uniqueReference(), payouts: [mobileMoneyPayout()] }
    const reply = await postJson(gateway.url, '/payout/batches', batch, { 'secret-key': 'sec_sandbox_demo' })
    expect(reply.status).toBe(202)
    await until(() => receiver.received.length > 0, WAIT_MS, 'the handshake was forwarded')
    const [{ path, headers, body }] = receiver.received as [Receiver['received'][number]]
    expect(path).toBe('/handshake')
    expect(await handshakes.verifyBatch(body, headers, SECRET)).toMatchObject({
      batch_reference: batch.batch_reference,
    })
    await asksOnce(false)
  })

  test('reports callbacks that go elsewhere, borrows their URL, and restores it', async () => {
    const own = await startReceiver()
    const pointTo = (url: string) =>
      gateway.pool
        .query("update merchants set collection_callback_url = $1 where public_key = 'pub_sandbox_demo'", [url])
        .then(() => gateway.refresh())
    try {
      await pointTo(own.url)
      const idle = await listen()
      await until(
        () => idle.printed.some((line) => line.includes(`collections go to ${own.url}`)),
        WAIT_MS,
        'it says so',
      )
      expect(idle.printed.join('\n')).toContain('--borrow redirects them here meanwhile')

      const second = await startReceiver()
      const borrower = await listen('--borrow', '--forward-to', receiver.url, '--forward-to', second.url)
      await until(() => borrower.printed.some((line) => line.includes('borrowed, and restored')), WAIT_MS, 'it borrows')
      await gateway.refresh()
      await collect(gateway.url, { merchant_reference: uniqueReference() })
      await until(() => receiver.received.length > 0 && second.received.length > 0, WAIT_MS, 'both got the callback')
      expect(second.received[0]?.body).toBe(receiver.received[0]?.body)
      await second.close()

      const { terminal, ended } = present(takeLast(), 'the borrower')
      terminal.end()
      expect(await ended).toBe(0)
      const { rows } = await gateway.pool.query<{ url: string }>(
        "select collection_callback_url as url from merchants where public_key = 'pub_sandbox_demo'",
      )
      expect(rows).toEqual([{ url: own.url }])
      expect(own.received).toEqual([])
    } finally {
      await pointTo(`${gateway.url}/sandbox/inbox`)
      await own.close()
    }
  })

  test('waits for a sandbox that is away, and continues when it is back', async () => {
    const port = new URL(gateway.url).port
    const terminal = await listen('--forward-to', receiver.url)
    await gateway.stop()
    await until(
      () => terminal.printed.some((line) => line.includes('waiting for it')),
      WAIT_MS,
      'it says that the sandbox is away',
    )
    gateway = await startGateway({ PORT: port })
    await until(
      () => terminal.printed.filter((line) => line.startsWith('listening to')).length === 2,
      WAIT_MS,
      'it listens again',
    )
    await collect(gateway.url, { merchant_reference: uniqueReference() })
    await until(() => receiver.received.length > 0, WAIT_MS, 'the callback was forwarded')
    expect(terminal.printed.filter((line) => line.includes('waiting for it'))).toHaveLength(1)
  })

  test('resend finds what only the inbox has, and requires a destination', async () => {
    const merchantReference = uniqueReference()
    await collect(gateway.url, { merchant_reference: merchantReference })
    const find = async (): Promise<string | undefined> => {
      const { messages } = await requestFor<{ messages: { webhook_id: string }[] }>(
        `${gateway.url}/sandbox/inbox?reference=${merchantReference}`,
        { headers: { accept: 'application/json' } },
      )
      return messages[0]?.webhook_id
    }
    await until(async () => (await find()) !== undefined, WAIT_MS, 'the callback came')
    const id = String(await find())
    expect(await run(['resend', id, '--gateway', gateway.url], folder())).toMatchObject({
      exitCode: 2,
      complained: [expect.stringContaining('--to is missing'), expect.anything()],
    })
    expect((await run(['resend', id, '--gateway', gateway.url, '--to', receiver.url], folder())).exitCode).toBe(0)
    expect(await webhooks.verify(receiver.received[0]!.body, receiver.received[0]!.headers, SECRET)).toMatchObject({
      webhookId: id,
      payload: { merchant_reference: merchantReference },
    })
  })

  test('reports what is no sandbox, with exit code 2', async () => {
    receiver.answer({ status: 200, body: '{}' })
    expect(await run(['listen', '--gateway', new URL(receiver.url).origin], folder())).toMatchObject({
      exitCode: 2,
      complained: [expect.stringContaining('has no sandbox inbox'), expect.anything()],
    })
  })
})

test('clock advance runs what is due until then, and clock show reports it', async () => {
  const { url } = gateway
  const merchantReference = uniqueReference()
  await collect(url, { merchant_reference: merchantReference, msisdn: uniqueMsisdn('010') })
  const advanced = await run(['clock', 'advance', '90s', '--gateway', url], folder())
  expect(advanced).toMatchObject({ exitCode: 0, printed: [expect.stringContaining('0 d 0 h 1 min ahead')] })
  const { body } = await attachSandbox(url).waitForCallback(merchantReference, { timeoutMs: 0 })
  expect(body).toContain('"transaction_status":"COMPLETED"')
  expect((await run(['clock', 'show', '--gateway', url], folder())).printed[0]).toContain('min ahead of real time')
  expect(await run(['clock', 'advance', '24', '--gateway', url], folder())).toMatchObject({
    exitCode: 1,
    complained: [expect.stringContaining('by must be a duration')],
  })
})

test('scenario load, show and remove change what a sandbox decides', async () => {
  const at = ['--gateway', gateway.url]
  writeFileSync(
    join(folder(), 'open.yaml'),
    "scenario: 1\npayments: [{ account: '*777', orders: [{ outcome: open }] }]",
  )
  expect(await run(['scenario', 'load', 'open.yaml', ...at], folder())).toMatchObject({
    exitCode: 0,
    printed: ['pub_sandbox_demo: 1 rules for payments, which have met 0 orders; 0 for callbacks'],
  })
  await collect(gateway.url, { msisdn: uniqueMsisdn('777') })
  await attachSandbox(gateway.url).advanceClock('5s')
  expect((await run(['scenario', 'show', ...at], folder())).printed.join('\n')).toContain('have met 1 orders')
  expect((await run(['scenario', 'remove', ...at], folder())).exitCode).toBe(0)
  expect(await run(['scenario', 'show', ...at], folder())).toMatchObject({
    exitCode: 1,
    complained: ['No scenario is loaded for pub_sandbox_demo'],
  })
})

describe('the shop', async () => {
  const shop = await forFile(startFastifyShop({ port: await freePort(), gatewayUrl: gateway.url }))

  test('sends a payout that its own handshake confirms', async () => {
    await gateway.pool.query(
      "update merchants set verification_url = $1, payout_callback_url = $2 where public_key = 'pub_sandbox_demo'",
      [`${shop.url}/handshake`, `${shop.url}/callbacks`],
    )
    await gateway.refresh()
    const { merchant_reference: reference } = await requestFor<{ merchant_reference: string }>(
      `${shop.url}/dev/payouts`,
      {
        method: 'POST',
      },
    )
    const statusOf = async (): Promise<string> => {
      const { data } = await requestFor<{ data: { transaction_status: string } }>(
        `${gateway.url}/data/transaction/verify/${reference}`,
        { headers: { 'public-key': 'pub_sandbox_demo', 'x-api-version': '1' } },
      )
      return data.transaction_status
    }
    await until(async () => (await statusOf()) === 'COMPLETED', WAIT_MS, 'the payout is paid')
  })

  test("starts nothing without a provider's number, and the page says why", async () => {
    const page = await fetch(`${shop.url}/checkout`, {
      method: 'POST',
      body: new URLSearchParams({ provider: 'mtn_ug', phone: '<b>1' }),
    })
    expect(page.status).toBe(422)
    const markup = await page.text()
    expect(markup).toContain('role="alert"')
    expect(markup).toContain('value="&lt;b&gt;1"')
    expect(markup).not.toContain('<b>')
  })
})
