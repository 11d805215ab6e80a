import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ANYBODY } from './testing/mtn-caller.ts'
import { advance, postForm, receiver, simulatedMtn } from '../testing/simulated.ts'
import { npmThirdParty } from '../testing/third-party-clients/install.ts'
import { BUILT_IN_CREDENTIALS } from './credentials.ts'
import { skipReason } from '../../../../server/verification/testing/skip-reason.ts'

// A third-party client of MTN's sandbox knows nothing of our contract: what it can do with the simulator it can do with
// MTN, as far as it worked there.

const timeout = 5 * 60_000
const order = { amount: '50', currency: 'EUR', externalId: 'order 1', payerMessage: 'Tea', payeeNote: 'Tea' }
const party = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })

/** The part of npm's mtn-momo that is used here. */
interface MtnMomo {
  create(config: { readonly baseUrl: string; readonly callbackHost: string }): {
    Users(config: { readonly primaryKey: string }): {
      create(host: string): Promise<string>
      login(userId: string): Promise<{ readonly apiKey: string }>
    }
    Collections(config: ProductConfig): {
      requestToPay(order: object): Promise<string>
      getTransaction(id: string): Promise<object>
      getBalance(): Promise<object>
      isPayerActive(id: string, type: string): Promise<object>
    }
    Disbursements(config: ProductConfig): {
      transfer(order: object): Promise<string>
      getTransaction(id: string): Promise<object>
      getBalance(): Promise<object>
    }
  }
}
interface ProductConfig {
  readonly userId: string
  readonly userSecret: string
  readonly primaryKey: string
}

const npm = await npmThirdParty('mtn-momo')
if ('unavailable' in npm) skipReason(npm.unavailable, 'MTN MoMo with mtn-momo (npm)')

describe.skipIf('unavailable' in npm)('mtn-momo of npm', { timeout }, () => {
  async function connected() {
    const simulator = await simulatedMtn()
    if ('unavailable' in npm) throw new Error(npm.unavailable)
    const { create } = createRequire(join(npm.folder, 'here.js'))('mtn-momo') as MtnMomo
    const momo = create({ baseUrl: simulator.url, callbackHost: '127.0.0.1' })
    const configOf = async (product: 'collection' | 'disbursement'): Promise<ProductConfig> => {
      const primaryKey = BUILT_IN_CREDENTIALS[product].subscriptionKey
      const userId = await momo.Users({ primaryKey }).create('127.0.0.1')
      const { apiKey } = await momo.Users({ primaryKey }).login(userId)
      return { primaryKey, userId, userSecret: apiKey }
    }
    return { simulator, momo, configOf }
  }

  test('creates an API user, collects, gets a callback, and finds the payment approved', async () => {
    const { simulator, momo, configOf } = await connected()
    const merchant = await receiver()
    const collections = momo.Collections(await configOf('collection'))
    const id = await collections.requestToPay({ ...order, payer: party(ANYBODY), callbackUrl: `${merchant.url}/x` })
    expect(await collections.getTransaction(id)).toMatchObject({ status: 'PENDING', amount: '50' })
    await postForm(`${simulator.url}/phone/${ANYBODY}`, { order: id, decision: 'approved', pin: '1234' })
    expect(await collections.getTransaction(id)).toMatchObject({ status: 'SUCCESSFUL' })
    expect(await collections.getBalance()).toEqual({ availableBalance: '1050', currency: 'EUR' })
    expect(await collections.isPayerActive(ANYBODY, 'msisdn')).toEqual({ result: true })
    await simulator.callbacks.idle()
    expect(merchant.received).toMatchObject([{ path: '/x', body: { status: 'SUCCESSFUL' } }])
  })

  test('recognises a rejected payment and an unknown payer by their codes', async () => {
    const { simulator, momo, configOf } = await connected()
    const collections = momo.Collections(await configOf('collection'))
    const id = await collections.requestToPay({ ...order, payer: party('46733123451') })
    await advance(simulator, 10_000)
    await expect(collections.getTransaction(id)).rejects.toMatchObject({ name: 'ApprovalRejectedError' })
    await expect(collections.requestToPay({ ...order, payer: party('46733123455') })).rejects.toMatchObject({
      name: 'PayerNotFoundError',
    })
  })

  test('pays out', async () => {
    const { simulator, momo, configOf } = await connected()
    const disbursements = momo.Disbursements(await configOf('disbursement'))
    const id = await disbursements.transfer({ ...order, payee: party(ANYBODY) })
    await advance(simulator, 10_000)
    expect(await disbursements.getTransaction(id)).toMatchObject({ status: 'SUCCESSFUL' })
    expect(await disbursements.getBalance()).toEqual({ availableBalance: '999950', currency: 'EUR' })
  })
})
