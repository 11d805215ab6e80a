import { mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Simulator } from '../simulator.ts'
import { credentialOf, CUSTOMER, simulatedDaraja } from './testing/daraja-caller.ts'
import { advance, postForm, receiver } from '../testing/simulated.ts'
import { npmThirdParty, pythonThirdParty, run } from '../testing/third-party-clients/install.ts'
import { SIMULATED_MERCHANT } from './simulated-merchant.ts'
import { skipReason } from '../../../../server/verification/testing/skip-reason.ts'

// Third-party clients of Daraja know nothing of our contract: what they can do with the simulator they can do with
// Daraja, as far as they worked there.

const timeout = 5 * 60_000
const { consumerKey, consumerSecret, passkey, payBill, payoutShortCode, initiatorName, initiatorPassword } =
  SIMULATED_MERCHANT

const [python, noriapay, npm] = await Promise.all([
  pythonThirdParty('daraja-v3'),
  pythonThirdParty('noriapay'),
  npmThirdParty('mpesa-node'),
])
const clients = { 'daraja-v3 (PyPI)': python, 'noriapay (PyPI)': noriapay, 'mpesa-node (npm)': npm }
for (const [name, found] of Object.entries(clients))
  if ('unavailable' in found) skipReason(found.unavailable, `Daraja with ${name}`)

const approve = ({ url }: Simulator, order: string): Promise<Response> =>
  postForm(`${url}/phone/${CUSTOMER}`, { order, decision: 'approved', pin: '1234' })

/** Some queries in flight get an error. */
async function untilAnswered(query: () => Promise<Readonly<Record<string, unknown>>>) {
  for (;;) {
    const answer = await query()
    if (answer.error !== '500.001.1001') return answer
  }
}

/** Calls a client of PyPI. @param more settings of it */
function pythonClient(found: typeof python, { url }: Simulator, more: object = {}) {
  if ('unavailable' in found) throw new Error(found.unavailable)
  const settings = { consumer_key: consumerKey, consumer_secret: consumerSecret, base_url: url, ...more }
  return async (name: string, args: object): Promise<Readonly<Record<string, unknown>>> => {
    const words = [JSON.stringify(settings), name, JSON.stringify(args)]
    const { output } = await run(join(found.folder, 'venv/bin/python'), ['call.py', ...words], found.folder)
    return JSON.parse(output) as Record<string, unknown>
  }
}

describe.skipIf('unavailable' in noriapay)('noriapay of PyPI', { timeout }, () => {
  test('registers addresses, pays a bank, reverses, and asks for a status and a balance', async () => {
    const simulator = await simulatedDaraja()
    const merchant = await receiver()
    const call = pythonClient(noriapay, simulator)
    const urls = { ConfirmationURL: `${merchant.url}/paid`, ValidationURL: `${merchant.url}/wanted` }
    const register = { ShortCode: payBill, ResponseType: 'Completed', ...urls }
    expect(await call('register_c2b_urls', register)).toMatchObject({ ResponseCode: '0' })
    expect(await call('register_c2b_urls', register)).toMatchObject({ status_code: 500 })
    merchant.says = { ResultCode: '0', ResultDesc: 'Accepted' }
    await postForm(`${simulator.url}/phone/${CUSTOMER}/payments`, {
      account: payBill,
      amount: '750',
      reference: 'INV-7',
    })
    await advance(simulator, 1_000)
    const [receipt = ''] = simulator.world.orders.all()[0]?.receipts ?? []
    const own = { Initiator: initiatorName, SecurityCredential: credentialOf(initiatorPassword), Remarks: 'Tea' }
    const request = (path: string) => ({
      ...own,
      PartyA: payBill,
      ResultURL: `${merchant.url}/${path}`,
      QueueTimeOutURL: `${merchant.url}/time-out`,
    })
    await call('b2b_payment', {
      ...request('bank'),
      CommandID: 'BusinessPayBill',
      SenderIdentifierType: '4',
      RecieverIdentifierType: '4',
      Amount: 300,
      PartyB: '600000',
      AccountReference: '0123456789',
    })
    const { PartyA: ReceiverParty, ...reversal } = request('reversal')
    await call('reversal', {
      ...reversal,
      CommandID: 'TransactionReversal',
      TransactionID: receipt,
      Amount: 750,
      ReceiverParty,
      RecieverIdentifierType: '11',
    })
    const status = { ...request('status'), CommandID: 'TransactionStatusQuery', TransactionID: receipt }
    await call('transaction_status', { ...status, IdentifierType: '4' })
    await call('account_balance', { ...request('balance'), CommandID: 'AccountBalance', IdentifierType: '4' })
    await advance(simulator, 10_000)
    const results = merchant.received.filter(({ path }) => /bank|reversal|status|balance/.test(path))
    expect(results.map(({ path }) => path).toSorted()).toEqual(['/balance', '/bank', '/reversal', '/status'])
    for (const result of results) expect(result).toMatchObject({ body: { Result: { ResultCode: 0 } } })
  })
})

describe.skipIf('unavailable' in python)('daraja-v3 of PyPI', { timeout }, () => {
  const clientOf = (simulator: Simulator, shortcode: string) => pythonClient(python, simulator, { shortcode, passkey })

  test('requests money, queries the status, and reads the callback', async () => {
    const simulator = await simulatedDaraja()
    const merchant = await receiver()
    const call = clientOf(simulator, payBill)
    const order = { phone: '0712 345678', amount: 500, reference: 'Order-1', callback_url: `${merchant.url}/push` }
    const pushed = await call('stk_push', order)
    const query = () => call('stk_query', { checkout_request_id: pushed.checkout_request_id })
    expect(await untilAnswered(query)).toMatchObject({ result_code: '4999', is_paid: false })
    expect(await call('stk_push', order)).toEqual({ error: '500.001.1001' })
    await approve(simulator, String(pushed.checkout_request_id))
    await simulator.callbacks.idle()
    expect(await query()).toMatchObject({ result_code: '0', is_paid: true })
    expect(await call('parse_stk_callback', { body: merchant.received[0]?.body })).toMatchObject({
      paid: true,
      amount: 500,
      phone: CUSTOMER,
      mpesa_receipt: simulator.world.orders.all()[0]?.receipts[0],
    })
  })

  test('pays out, and is refused without addresses', async () => {
    const simulator = await simulatedDaraja()
    const merchant = await receiver()
    const paid = await clientOf(simulator, payoutShortCode)('b2c', {
      phone: CUSTOMER,
      amount: 1000,
      occasion: 'Tea',
      callback_url: `${merchant.url}/result`,
      queue_timeout_url: `${merchant.url}/time-out`,
      initiator_name: initiatorName,
      security_credential: credentialOf(initiatorPassword),
    })
    await advance(simulator, 10_000)
    expect(merchant.received).toMatchObject([
      { body: { Result: { ResultCode: 0, ConversationID: paid.conversation_id } } },
    ])
    // The same request without the addresses that Daraja requires.
    expect(await clientOf(simulator, payoutShortCode)('b2c', { phone: CUSTOMER, amount: 1 })).toEqual({
      error: '400.002.02',
    })
  })
})

type SentReply = Promise<{ readonly data: Readonly<Record<string, unknown>> }>

/** The part of npm's mpesa-node that is used here. */
interface Mpesa {
  baseURL: string
  lipaNaMpesaOnline(msisdn: string, amount: number, url: string, reference: string, description: string): SentReply
  lipaNaMpesaQuery(checkoutRequestId: string): SentReply
  transactionStatus(receipt: string, party: string, type: string, queueUrl: string, resultUrl: string): SentReply
}

describe.skipIf('unavailable' in npm)('mpesa-node of npm', { timeout }, () => {
  test('requests money, queries the status, and the status of the receipt', async () => {
    const simulator = await simulatedDaraja()
    const merchant = await receiver()
    if ('unavailable' in npm) throw new Error(npm.unavailable)
    const certificate = await (await fetch(`${simulator.url}/simulator/files/certificate.pem`)).text()
    const certPath = join(mkdtempSync(join(tmpdir(), 'malipo-operator-')), 'certificate.pem')
    writeFileSync(certPath, certificate)
    const Client = createRequire(join(npm.folder, 'here.js'))('mpesa-node') as new (config: object) => Mpesa
    const mpesa = new Client({
      consumerKey,
      consumerSecret,
      lipaNaMpesaShortCode: payBill,
      lipaNaMpesaShortPass: passkey,
      initiatorName,
      securityCredential: initiatorPassword,
      certPath,
    })
    mpesa.baseURL = simulator.url

    const { data: pushed } = await mpesa.lipaNaMpesaOnline(CUSTOMER, 500, `${merchant.url}/push`, 'Order-1', 'Tea')
    const id = String(pushed.CheckoutRequestID)
    await approve(simulator, id)
    const { data: requested } = await mpesa.lipaNaMpesaQuery(id)
    expect(requested.ResultCode).toBe('0')

    const [receipt = ''] = simulator.world.orders.all()[0]?.receipts ?? []
    await mpesa.transactionStatus(receipt, payBill, '4', `${merchant.url}/time-out`, `${merchant.url}/status`)
    await advance(simulator, 10_000)
    const found = merchant.received.find(({ path }) => path === '/status')
    expect(found).toMatchObject({ body: { Result: { ResultCode: 0, TransactionID: receipt } } })
  })
})
