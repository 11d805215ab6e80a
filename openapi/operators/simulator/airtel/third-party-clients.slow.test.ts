import { constants, publicEncrypt } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { skipReason } from '../../../../server/verification/testing/skip-reason.ts'
import type { OperatorOptions } from '../operator.ts'
import { postForm, receiver, simulated } from '../testing/simulated.ts'
import { pythonThirdParty, run } from '../testing/third-party-clients/install.ts'
import { airtel } from './airtel.ts'
import { APPLICATION, encryptionKey } from './application.ts'

// Third-party clients of Airtel know nothing of our contract: what they can do with the simulator they can do with
// Airtel, as far as they worked there.

const timeout = 5 * 60_000
const CUSTOMER = '256752000123'
const { clientId: client_id, clientSecret: client_secret, pin, callbackKey } = APPLICATION
const python = await pythonThirdParty('airtel')
if ('unavailable' in python)
  skipReason(python.unavailable, 'Airtel with airtelmoney-py, mtn-momo-client and pyairtel (PyPI)')

interface ClientReply {
  readonly error?: string
  readonly [field: string]: unknown
}

async function stranger(name: string, options: OperatorOptions = {}) {
  const simulator = await simulated(airtel(options))
  const call = async (what: string, args: object, settings: object = {}): Promise<ClientReply> => {
    if ('unavailable' in python) throw new Error(python.unavailable)
    const own = JSON.stringify({ base_url: simulator.url, client_id, client_secret, ...settings })
    const words = ['call.py', name, own, what, JSON.stringify(args)]
    const { output } = await run(join(python.folder, 'venv/bin/python'), words, python.folder)
    return JSON.parse(output) as ClientReply
  }
  const approve = (order: string) =>
    postForm(`${simulator.url}/phone/${CUSTOMER}`, { order, decision: 'approved', pin: '1234' })
  return { simulator, call, approve }
}

describe.skipIf('unavailable' in python)('airtelmoney-py of PyPI', { timeout }, () => {
  test('collects with a signature, verifies the hash, asks, and refunds', async () => {
    const merchant = await receiver()
    const { simulator, call, approve } = await stranger('airtelmoney-py', {
      callbackUrl: `${merchant.url}/airtel`,
      hashesCallbacks: true,
    })
    const order = { reference: 'Order1042', msisdn: '752000123', amount: 5000, transaction_id: 'a1b2c3d4e5f6' }
    expect(await call('collection.payment', order)).toMatchObject({ status: { success: true } })
    await approve(order.transaction_id)
    await simulator.callbacks.idle()
    const verified = (secret: string) =>
      call('collection.verify_callback_hash', { payload: merchant.received[0]?.body, secret })
    expect([await verified(callbackKey), await verified(client_secret)]).toEqual([true, false])
    const [receipt] = simulator.world.orders.all()[0]?.receipts ?? []
    expect(await call('collection.enquiry', { transaction_id: order.transaction_id })).toMatchObject({
      data: { transaction: { status: 'TS', airtel_money_id: receipt } },
    })
    const refund = () => call('collection.refund', { airtel_money_id: receipt })
    expect(await refund()).toMatchObject({ data: { transaction: { status: 'SUCCESS' } } })
    expect(await refund()).not.toHaveProperty('data')
    expect(await call('account.balance', {})).toMatchObject({ data: { balance: '1000000' } })
    expect(await call('kyc.user_enquiry', { msisdn: CUSTOMER })).toMatchObject({ data: { is_barred: false } })
  })

  test('pays out with the PIN, and not with a wrong one', async () => {
    const { call } = await stranger('airtelmoney-py')
    const pays = (given: string) =>
      call('disbursement.payment', { msisdn: '752000123', amount: 5000, reference: 'Salary', pin: given })
    expect(await pays(pin)).toMatchObject({ data: { transaction: { status: 'TS' } } })
    expect(await pays('0000')).toMatchObject({ error: expect.stringContaining('HTTP 400') as string })
  })
})

describe.skipIf('unavailable' in python)('mtn-momo-client of PyPI', { timeout }, () => {
  const UGANDA = { country: 'UG', currency: 'UGX' }

  test('collects under a UUID, and reads a refusal with HTTP 200 as one', async () => {
    const { call, approve } = await stranger('mtn-momo-client')
    const settings = { ...UGANDA, product: 'collection' }
    const transaction_id = '3fd0c5b2-7a1e-4c0d-9b77-5c9f6f1f0a11'
    const order = { amount: '5000', phone: `+${CUSTOMER}`, reference: 'Order1042', transaction_id }
    expect(await call('request_to_pay', order, settings)).toBe(transaction_id)
    const status = () => call('get_payment_status', { external_id: transaction_id }, settings)
    expect(await status()).toMatchObject({ status: 'TIP' })
    await approve(transaction_id)
    expect(await status()).toMatchObject({ status: 'TS' })
    expect(await call('request_to_pay', order, settings)).toHaveProperty('error')
    expect(await call('get_balance', {}, settings)).toMatchObject({ currency: 'UGX' })
  })

  test('pays out an amount that is a text', async () => {
    const { call } = await stranger('mtn-momo-client')
    const key = { key: encryptionKey().privateKey, padding: constants.RSA_PKCS1_PADDING }
    const encrypted_pin = publicEncrypt(key, Buffer.from(pin)).toString('base64')
    const settings = { ...UGANDA, product: 'disbursement', encrypted_pin }
    const external_id = await call('transfer', { amount: '5000', phone: CUSTOMER, reference: 'Salary' }, settings)
    expect(await call('get_transfer_status', { external_id }, settings)).toMatchObject({ status: 'TS' })
  })
})

describe.skipIf('unavailable' in python)('pyairtel of PyPI', { timeout }, () => {
  test('sends numbers with the country code, and is refused', async () => {
    const { simulator, call } = await stranger('pyairtel', { environment: 'TZ' })
    const order = { phone: '0681219610', amount: 5000, reference: 'Order1042' }
    expect(await call('collect', order)).toHaveProperty('error')
    expect(simulator.world.orders.all()).toEqual([])
  })
})
