import { describe, expect, test } from 'vitest'
import { freePort } from '../../../server/verification/testing/free-port.ts'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'
import { BROKEN_SHOPS, CALLBACKS, verifying } from '../testing/broken-shops.ts'
import { certify } from '../testing/certify.ts'
import { startFastifyShop, type Patch } from '../testing/shop.ts'
import { LIVES } from './lives.ts'

// The shop that `new shop` writes is certified; for each life there is a fault with which it is not.

const SETTLE = "if (payload.transaction_type !== 'REFUND') settle(orders, payload)"
const settling = (to: string): Patch => ({ file: CALLBACKS, from: SETTLE, to })
const ORDERS = 'shop/orders.ts'
const CHECK_OUT = 'shop/check-out.ts'
const ASK = 'settle(orders, await malipo.transactions.verify(order.reference, { timeoutMs: 3_000, maxRetries: 0 }))'

/** The patches of a shop that `check` knows. */
function checked(how: string): readonly Patch[] {
  const shop = BROKEN_SHOPS.find((broken) => broken.how === how)
  if (!shop) throw new Error(`no shop ${how}`)
  return shop.patches
}

const FAULTS: Readonly<Record<string, readonly Patch[]>> = {
  good: [settling('')],
  failed: checked('takes every event for a payment'),
  late_success: [{ file: ORDERS, from: " and state <> 'paid'", to: " and state = 'waiting'" }],
  duplicate: checked('looks for no duplicates'),
  duplicate_at_once: checked('looks for no duplicates'),
  // Notes the event as handled before it is, and stops working when the sender hangs up.
  slow_acknowledgement: [
    { file: CALLBACKS, from: 'const { payload }', to: 'const { payload, webhookId }' },
    settling(`
        const seen = ((globalThis as any).seen ??= new Set())
        if (seen.has(webhookId)) return reply.code(204).send()
        seen.add(webhookId)
        await new Promise((resolve) => setTimeout(resolve, 300))
        if (request.raw.socket.destroyed) return reply
        ${SETTLE}`),
  ],
  second_id: checked('looks for no duplicates'),
  out_of_order: checked('lets the last event win'),
  payout_out_of_order: checked('lets the last event of a payout win'),
  other_amount: checked('does not compare the amount'),
  refund: [
    settling("if (payload.transaction_type === 'REFUND') throw new Error('unknown')\n        settle(orders, payload)"),
  ],
  // Takes the end of a refund for the end of its order.
  refund_failed: [
    settling(
      "settle(orders, (payload.transaction_type === 'REFUND' ? { ...payload, merchant_reference: payload.collection_merchant_reference } : payload) as any)",
    ),
    { file: ORDERS, from: "where reference = ? and state = 'waiting'\"", to: 'where reference = ?"' },
  ],
  extra_field: checked('refuses fields that it does not know'),
  unknown_event: [{ file: CALLBACKS, from: "error.reason === 'unknown_event'", to: 'false' }],
  // Insists on its only signing key.
  rotation: [
    verifying(
      "(await webhooks.verifyLegacy(request.body, request.headers, { signingKeys: 'SANDBOXDEMOSIGNKEY01' }), webhooks.verify(request.body, request.headers, webhookSecret))",
    ),
  ],
  other_merchant: checked('checks no signature'),
  no_signature: checked('checks the signature only where there is one'),
  old: checked('has no time tolerance'),
  altered_amount: checked('believes hmac-signature alone'),
  handshake_known: checked('is too busy for its own payouts'),
  handshake_unknown: checked('puts off the question about payouts that are not its own'),
  handshake_forged: checked('answers 200 to every handshake'),
  handshake_batch: [
    {
      file: 'web/handshake.ts',
      from: 'orders.knowsBatch(asked.batch_reference, asked.payouts)',
      to: 'asked.payouts > 0',
    },
  ],
  redirect_forged: checked('believes the address of the redirect'),
  redirect_underpaid: [
    { file: 'shop/come-back.ts', from: ASK, to: 'orders.pay(order.reference, order.amount, order.currency)' },
  ],
  callback_lost: [{ file: 'shop/come-back.ts', from: ASK, to: '' }],
  callback_before_reply: [
    { file: CHECK_OUT, from: '  orders.add(order)\n', to: '' },
    { file: CHECK_OUT, from: 'return { paymentUrl', to: 'orders.add(order)\n    return { paymentUrl' },
  ],
  // Takes silence for a no, and tries under another reference.
  reply_lost: [
    { file: CHECK_OUT, from: '{ idempotencyKey: reference }', to: '{ idempotencyKey: reference, maxRetries: 0 }' },
    {
      file: CHECK_OUT,
      from: '    return { fault:',
      to: "    if (!reference.endsWith('-2')) return startPayment({ malipo, orders, redirectUrl }, provider, phone, { ...order, reference: `${reference}-2` })\n    return { fault:",
    },
  ],
  ordered_twice: [
    {
      file: CHECK_OUT,
      from: 'merchant_reference: reference',
      to: 'merchant_reference: `SHOP-${randomUUID().slice(9)}`',
    },
  ],
  // Reads the first page only.
  outage: [
    {
      file: 'shop/catch-up.ts',
      from: 'orders.rememberEvent(number)',
      to: 'if (number % 50 === 0) break\n    orders.rememberEvent(number)',
    },
  ],
}

async function certifiedShop(patches: readonly Patch[], ...args: readonly string[]) {
  const [port, gatewayPort] = [await freePort(), await freePort()]
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`
  const shop = await startFastifyShop({ port, gatewayUrl, patches })
  try {
    return await certify(shop, gatewayUrl, ...args)
  } finally {
    await shop.stop()
  }
}

test.concurrent('the shop that new shop writes lives through all thirty', { timeout: 180_000 }, async () => {
  const { exitCode, lives } = await certifiedShop([])
  expect(lives.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
  expect([lives.length, exitCode]).toEqual([30, 0])
})

describe.concurrent('a shop with the fault of a life fails it', { timeout: 180_000 }, () => {
  test.each(
    sampledByDefault(
      'lives, each with its fault',
      LIVES.map(({ id }) => id),
      10,
    ),
  )('%s', async (id) => {
    const { exitCode, lives } = await certifiedShop(FAULTS[id] ?? [], '--only', id)
    expect(lives[0]?.did).not.toMatch(/is not (defined|a function)/) // that would be a fault of the patch
    expect([lives, exitCode]).toEqual([[expect.objectContaining({ id, verdict: 'wrong' })], 1])
  })
})
