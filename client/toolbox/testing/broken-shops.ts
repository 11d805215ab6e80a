import type { Patch } from './shop.ts'

export const CALLBACKS = 'web/callbacks.ts'
const VERIFY = 'webhooks.verify(request.body, request.headers, webhookSecret)'
export const verifying = (to: string): Patch => ({ file: CALLBACKS, from: VERIFY, to })

/** A shop of `new shop` with a fault, and the rows of `check` that find it. */
export interface BrokenShop {
  readonly how: string
  readonly patches: readonly Patch[]
  readonly wrong: readonly string[]
  readonly warnings?: readonly string[]
  readonly more?: readonly string[]
}

/** Ways to break the shop, for `check`. */
export const BROKEN_SHOPS: readonly BrokenShop[] = [
  {
    how: 'checks no signature',
    patches: [verifying('JSON.parse(request.body.toString())')],
    wrong: [
      'bad_signature',
      'other_merchant',
      'no_signature',
      'old',
      'future',
      'altered_amount',
      'changed_body',
      'not_json',
    ],
  },
  {
    how: 'believes hmac-signature alone',
    patches: [
      verifying("webhooks.verifyLegacy(request.body, request.headers, { signingKeys: 'SANDBOXDEMOSIGNKEY01' })"),
    ],
    wrong: ['old', 'future', 'altered_amount', 'changed_body'],
  },
  {
    how: 'checks the signature only where there is one',
    wrong: ['no_signature', 'altered_amount'],
    patches: [
      verifying(
        "(request.headers['webhook-signature'] || request.body[0] !== 123 || request.body.length < 20 ? webhooks.verify(request.body, request.headers, webhookSecret) : JSON.parse(request.body.toString()))",
      ),
    ],
  },
  {
    how: 'has no time tolerance',
    patches: [verifying('webhooks.verify(request.body, request.headers, webhookSecret, { toleranceSeconds: 1e9 })')],
    wrong: ['old', 'future'],
  },
  {
    how: 'parses before it verifies',
    patches: [
      verifying('webhooks.verify(JSON.stringify(JSON.parse(request.body.toString())), request.headers, webhookSecret)'),
    ],
    wrong: ['raw_bytes', 'not_json'],
  },
  {
    how: 'reads the first signature only',
    wrong: ['rotated_secret'],
    patches: [
      verifying(
        "webhooks.verify(request.body, { ...request.headers, 'webhook-signature': request.headers['webhook-signature']?.toString().split(' ')[0] }, webhookSecret)",
      ),
    ],
  },
  {
    how: 'refuses fields that it does not know',
    wrong: ['extra_field', 'huge'],
    patches: [
      {
        file: CALLBACKS,
        from: 'settle(orders, payload)',
        to: "if (/sent_by|filling/.test(request.body.toString())) throw new Error('unknown field')\n        settle(orders, payload)",
      },
      { file: CALLBACKS, from: 'BODY_MAX_BYTES = 64 * 1024', to: 'BODY_MAX_BYTES = 64 * 1024 * 1024' },
    ],
  },
  {
    how: 'looks for no duplicates',
    patches: [{ file: 'shop/orders.ts', from: " and state <> 'paid'", to: '' }],
    wrong: ['duplicate', 'duplicate_at_once', 'second_id'],
  },
  {
    how: 'lets the last event win',
    wrong: ['out_of_order'],
    patches: [
      {
        file: 'shop/orders.ts',
        from: "set state = 'failed' where reference = ? and state = 'waiting'",
        to: "set state = 'failed', fulfilments = 0 where reference = ?",
      },
    ],
  },
  {
    how: 'lets the last event of a payout win',
    wrong: ['payout_out_of_order'],
    patches: [{ file: 'shop/orders.ts', from: " and status <> 'COMPLETED'", to: '' }],
  },
  {
    how: 'takes every event for a payment',
    patches: [{ file: 'shop/settle.ts', from: "status === 'COMPLETED'", to: "status !== 'PROCESSING'" }],
    wrong: ['failed'],
  },
  {
    how: 'does not compare the amount',
    patches: [{ file: 'shop/orders.ts', from: 'and amount = ?', to: 'and ? > 0' }],
    wrong: ['other_amount'],
  },
  {
    how: 'reads bodies of any size',
    patches: [{ file: CALLBACKS, from: 'BODY_MAX_BYTES = 64 * 1024', to: 'BODY_MAX_BYTES = 64 * 1024 * 1024' }],
    wrong: ['huge'],
  },
  {
    // Longer time-outs would outlast the slow senders.
    how: 'handles one request at a time',
    wrong: ['slow'],
    more: ['--timeout-ms', '2000'],
    patches: [
      {
        file: 'web/shop.ts',
        from: '  serveCheckout(',
        to: `
  let last = Promise.resolve()
  app.addHook('onRequest', async (request, reply) => {
    const before = last
    last = new Promise((resolve) => { reply.raw.once('close', resolve); request.raw.socket.once('close', resolve) })
    await before
  })
  serveCheckout(`,
      },
    ],
  },
  {
    how: 'takes any media type',
    patches: [{ file: CALLBACKS, from: "addContentTypeParser('application/json'", to: "addContentTypeParser('*'" }],
    wrong: [],
    warnings: ['media_type'],
  },
  {
    how: 'answers GET',
    patches: [
      {
        file: CALLBACKS,
        from: '    scope.post<',
        to: "    scope.get('/callbacks', async () => 'ready')\n    scope.post<",
      },
    ],
    wrong: [],
    warnings: ['get'],
  },
  {
    how: 'answers 200 to every handshake',
    wrong: ['handshake_unknown', 'handshake_malformed', 'handshake_forged', 'handshake_unsigned', 'handshake_old'],
    patches: [
      {
        file: 'web/handshake.ts',
        from: '    try {',
        to: '    if (reply.raw) return reply.code(200).send()\n    try {',
      },
    ],
  },
  {
    how: 'answers 202 to its own payouts: any 2xx is a yes',
    wrong: [],
    patches: [{ file: 'web/handshake.ts', from: '? 200', to: '? 202' }],
  },
  {
    how: 'is too busy for its own payouts',
    wrong: ['handshake_known'],
    patches: [{ file: 'web/handshake.ts', from: '? 200', to: '? 429' }],
  },
  {
    how: 'puts off the question about payouts that are not its own',
    wrong: ['handshake_unknown', 'handshake_malformed'],
    patches: [{ file: 'web/handshake.ts', from: ': 404', to: ': 429' }],
  },
  {
    how: 'believes the address of the redirect',
    wrong: ['redirect_forged', 'redirect_other_order'],
    patches: [
      {
        file: 'shop/come-back.ts',
        from: '  const outcome =',
        to: `
  const query = new URL(url, 'http://shop.example').searchParams
  const named = orders.find(query.get('merchant_reference') ?? '')
  if (named && query.get('transaction_status') === 'COMPLETED') orders.pay(named.reference, named.amount, named.currency)
  const outcome =`,
      },
    ],
  },
  {
    how: 'shows the status text of the address',
    wrong: ['redirect_script'],
    patches: [
      {
        file: 'web/paid.ts',
        from: 'import { html, page, PAGE_HEADERS, type Page }',
        to: 'import { html, Html, page, PAGE_HEADERS, type Page }',
      },
      {
        file: 'web/paid.ts',
        from: 'page(order ? PAGES[order.state](order) : UNKNOWN)',
        to: "page({ title: 'Paid', body: new Html(new URL(url, 'http://shop.example').searchParams.get('status_message') ?? '') })",
      },
    ],
  },
  {
    how: 'shows an error to who has paid',
    patches: [{ file: 'web/paid.ts', from: 'order ? 200 : 404', to: 'order ? 500 : 404' }],
    wrong: ['redirect_good', 'redirect_script'],
  },
]
