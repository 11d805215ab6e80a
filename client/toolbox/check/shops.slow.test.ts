import { freePort } from '../../../server/verification/testing/free-port.ts'
import { describe, expect, test } from 'vitest'
import { forFile } from '../../../server/verification/testing/for-file.ts'
import { startReceiver } from '../../../server/verification/testing/receiver.ts'
import { startFastifyShop, type Patch } from '../testing/shop.ts'
import { run } from '../testing/terminal.ts'
import { GOOD_ROWS } from './good-rows.ts'
import { HANDSHAKE_ROWS } from './handshake-rows.ts'
import { HOSTILE_ROWS } from './hostile-rows.ts'
import { REDIRECT_ROWS } from './redirect-rows.ts'
import { sampledByDefault } from '../../../server/verification/testing/nightly.ts'

// The shop that `new shop` writes passes every row; each way to break it fails the rows that cover it, and no other.

const ALL_ROWS = [...GOOD_ROWS, ...HOSTILE_ROWS, ...HANDSHAKE_ROWS, ...REDIRECT_ROWS].map(({ id }) => id)
const CALLBACKS = 'web/callbacks.ts'
const VERIFY = 'webhooks.verify(request.body, request.headers, webhookSecret)'
const verifying = (to: string): Patch => ({ file: CALLBACKS, from: VERIFY, to })

interface BrokenShop {
  readonly how: string
  readonly patches: readonly Patch[]
  readonly wrong: readonly string[]
  readonly warnings?: readonly string[]
  readonly more?: readonly string[]
}

const BROKEN: readonly BrokenShop[] = [
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
        to: '    if (request.url) return reply.code(200).send()\n    try {',
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

/** The part of Malipo that the shop calls here: it knows no transaction. */
const malipo = await forFile(startReceiver())
malipo.answer({
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code: 404, status: 'error', message: 'not found', data: {} }),
})
const gatewayUrl = new URL(malipo.url).origin

type Verdicts = Readonly<Record<'wrong' | 'warning' | 'unseen' | 'left_out', readonly string[]>>

/** Starts such a shop, checks it, and returns the rows that were not right. */
async function verdictsOf(
  patches: readonly Patch[],
  more: readonly string[] = [],
): Promise<Verdicts & { readonly exitCode: number; readonly rows: readonly Row[] }> {
  const shop = await startFastifyShop({ port: await freePort(), gatewayUrl, patches })
  try {
    const { exitCode, printed, complained } = await run([...shop.checkArguments, '--json', ...more], shop.folder)
    expect(complained).toEqual([])
    const { rows } = JSON.parse(printed.join('\n')) as { readonly rows: readonly Row[] }
    const ids = (verdict: string) => rows.filter((row) => row.verdict === verdict).map(({ id }) => id)
    return {
      exitCode,
      rows,
      wrong: ids('wrong'),
      warning: ids('warning'),
      unseen: ids('unseen'),
      left_out: ids('left_out'),
    }
  } finally {
    await shop.stop()
  }
}

interface Row {
  readonly id: string
  readonly verdict: string
  readonly did: string
}

// Each takes seconds of waiting, and less than one of work: all of them run at once.
test.concurrent(
  'the shop that new shop writes passes every row',
  async () => {
    const { exitCode, rows, ...verdicts } = await verdictsOf([], ['--strict'])
    expect(verdicts).toEqual({ wrong: [], warning: [], unseen: [], left_out: [] })
    expect(rows.map(({ id }) => id)).toEqual(ALL_ROWS)
    expect(exitCode).toBe(0)
  },
  120_000,
)

describe.concurrent('a broken shop fails the rows about its fault', { timeout: 180_000 }, () => {
  test.each(sampledByDefault('ways to break the shop', BROKEN, 6))(
    'one that $how',
    async ({ patches, wrong, warnings = [], more = [] }) => {
      const verdicts = await verdictsOf(patches, more)
      expect(
        verdicts,
        JSON.stringify(
          verdicts.rows.filter(({ verdict }) => verdict !== 'ok'),
          null,
          2,
        ),
      ).toMatchObject({ wrong, warning: warnings, unseen: [], left_out: [] })
      expect(verdicts.exitCode).toBe(wrong.length > 0 ? 1 : 0)
    },
  )
})

test('each row but the first detects some fault of a shop', () => {
  const failed = new Set(BROKEN.flatMap(({ wrong, warnings = [] }) => [...wrong, ...warnings]))
  expect(ALL_ROWS.filter((id) => !failed.has(id))).toEqual(['good'])
})

test.concurrent(
  'a receiver with another secret fails the good rows, and refusals prove nothing',
  async () => {
    const { wrong, unseen, exitCode } = await verdictsOf(
      [],
      ['--secret', 'whsec_YW5vdGhlciBzZWNyZXQgYWx0b2dldGhlciwgMzIgYg=='],
    )
    expect(wrong).toEqual([
      'good',
      'duplicate',
      'duplicate_at_once',
      'second_id',
      'out_of_order',
      'payout_out_of_order',
      'failed',
      'extra_field',
      'raw_bytes',
      'rotated_secret',
      'slow',
      'handshake_known',
    ])
    expect(unseen).toContain('bad_signature')
    expect(exitCode).toBe(1)
  },
  120_000,
)
