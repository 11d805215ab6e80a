import { describe, expect, test } from 'vitest'
import { present } from '../../../domain/present.ts'
import { DEMO_KEYS } from '../../testing/gateway.ts'
import { openPage, redirectOf, submitForm } from '../../testing/page-visit.ts'
import { collect, mobileMoneyCollection, send } from '../../testing/requests.ts'
import { until } from '../../testing/served-gateway.ts'
import { verdictsOnCallback, verdictsOnRedirect } from '../../testing/signatures.ts'
import { SEEN_WITHIN_MS, SHOP, SOON_MS, type Merchant, type TestedSystem } from './tested-system.ts'

/** Every process sees a change by staff within a second. */
export function staffCommands(tested: TestedSystem): void {
  const { everywhere, post, recordAt, publicPem, allJobsDone } = tested

  describe('every process applies a staff command within a second:', () => {
    const demo = DEMO_KEYS['public-key']

    test('limits of a provider', async () => {
      const limit = async (api: string) => {
        const { body } = await send(api, 'GET', '/data/payment-providers?currency=KES&transaction_type=COLLECTION', {
          headers: tested.keys,
        })
        return (body.data.payment_providers as { provider_code: string; max_amount: number }[]).find(
          ({ provider_code }) => provider_code === 'mpesa_ke',
        )?.max_amount
      }
      for (const api of tested.system.apis) expect(await limit(api)).toBe(250_000)
      await tested.system.malipo('provider', 'set', 'mpesa_ke', '--type', 'COLLECTION', '--max', '123456')
      await everywhere('the new limit', async (api) => (await limit(api)) === 123_456)
    })

    test('an exchange rate', async () => {
      const inDollars = (api: string) =>
        post('/collections/initialize', mobileMoneyCollection({ currency: 'USD', amount: 100 }), {}, api)
      for (const api of tested.system.apis) expect((await inDollars(api)).status).toBe(400)
      await tested.system.malipo('rate', 'set', 'USD', 'UGX', '3800')
      await everywhere('the rate', async (api) => {
        const { status, body } = await inDollars(api)
        if (status !== 202) return false
        expect(await recordAt(api, String(body.data.merchant_reference))).toMatchObject({
          transaction_amount: 380_000,
          transaction_currency: 'UGX',
        })
        return true
      })
    })

    test('a secret key, and the end of the old one', async () => {
      const statusOf = async (api: string, secretKey: string) =>
        (await send(api, 'GET', '/data/wallet-balances', { headers: { 'secret-key': secretKey } })).status
      for (const api of tested.system.apis) expect(await statusOf(api, DEMO_KEYS['secret-key'])).toBe(200)
      const { secret_key } = await tested.system.malipo<Merchant>(
        'keys',
        'rotate',
        demo,
        '--kind',
        'secret_key',
        '--keep-old',
        '0',
      )
      await everywhere(
        'the new secret key',
        async (api) =>
          (await statusOf(api, secret_key)) === 200 && (await statusOf(api, DEMO_KEYS['secret-key'])) === 401,
      )
    })

    test('a signing key and the RSA key, by what signs a redirect', async () => {
      const { body } = await collect(tested.system.url(), { mobile_money_hpp: true, redirect_url: SHOP })
      const paymentUrl = String(body.data.payment_url)
      await submitForm(tested.system.url(), await openPage(tested.system.url(), paymentUrl), 'cancel')
      const before = await publicPem()
      const [{ signing_key }] = await Promise.all([
        tested.system.malipo<Merchant>('keys', 'rotate', demo, '--kind', 'signing_key', '--keep-old', '0'),
        tested.system.malipo('keys', 'rotate', '--rsa'),
      ])
      await everywhere('the new keys', async (api) => {
        const pem = await publicPem(api)
        const address = present(await redirectOf(api, paymentUrl), 'where the page leads')
        const { hmac, rsa } = verdictsOnRedirect(address, signing_key, pem)
        return pem !== before && hmac && rsa
      })
      expect(new Set(await Promise.all(tested.system.apis.map(publicPem))).size).toBe(1)
    })

    test('a callback URL and the keys that sign callbacks, by each worker', async () => {
      for (const [n, worker] of tested.system.workers.entries()) {
        await allJobsDone()
        const url = `${tested.elsewhere.url}/${n}`
        const rotate = (kind: string) =>
          tested.system.malipo<Merchant>('keys', 'rotate', demo, '--kind', kind, '--keep-old', '0')
        const [{ signing_key }, { webhook_secret }] = await Promise.all([
          rotate('signing_key'),
          rotate('webhook_secret'),
          tested.system.malipo('merchant', 'set', demo, '--collection-callback-url', url),
          tested.system.malipo('keys', 'rotate', '--rsa'),
        ])
        await tested.system.onlyWorker(worker, () =>
          until(
            async () => {
              const { body } = await collect(tested.system.url())
              await until(
                () => isDelivered(String(body.data.merchant_reference)),
                SOON_MS,
                'the callback is delivered somewhere',
              )
              const callback = tested.elsewhere.received.find(
                ({ json }) => json.payload.merchant_reference === body.data.merchant_reference,
              )
              return (
                callback?.path === new URL(url).pathname &&
                Object.values(verdictsOnCallback(callback, { signing_key, webhook_secret }, await publicPem())).every(
                  Boolean,
                )
              )
            },
            SEEN_WITHIN_MS,
            `what worker ${n} sends, and where`,
          ),
        )
      }
    })

    const isDelivered = async (reference: string): Promise<boolean> =>
      (
        await tested.system.database.query(
          `select from callbacks c join transactions t on t.id = c.transaction_id where t.merchant_reference = $1 and c.status = 'DELIVERED'`,
          [reference],
        )
      ).rowCount === 1
  })
}
