import { expect, test } from 'vitest'
import { DEMO_KEYS } from '../verification/testing/gateway.ts'
import { startFailingHttp } from '../verification/testing/failing-http.ts'
import { StorageUnavailable } from '../actions/ports/store.ts'

test('keys that nobody can look up now are not called wrong: 503, with the public key alone and with both', async () => {
  let requested = 0
  const http = await startFailingHttp('storage', {
    merchantByPublicKey: async () => {
      requested += 1
      throw new StorageUnavailable(new Error('connect ECONNREFUSED'))
    },
  })
  try {
    for (const path of ['/data/payment-providers?currency=UGX&transaction_type=PAYOUT', '/data/wallet-balances']) {
      const reply = await fetch(`${http.url}${path}`, {
        headers: { ...DEMO_KEYS, 'x-api-version': '1', 'accept-language': 'en' },
      })
      expect([path, reply.status, reply.headers.has('retry-after')]).toEqual([path, 503, true])
    }
    expect(requested).toBe(2)
  } finally {
    await http.stop()
  }
})
