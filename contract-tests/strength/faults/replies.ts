import { edited, faultsOf } from './fault.ts'

// Faults in replies, their headers and their bytes, in the keys that are served, and in pages.

const APP = 'http/app.ts'
const BELOW = 'http/below-requests.ts'
const PAGES = 'http/pages.ts'
const ENVELOPE = 'http/envelope.ts'
const REFUSALS = 'http/contract-refusals.ts'
const HANDLER = 'http/handlers/initialize-collection.ts'
const PROVIDERS = 'http/handlers/list-payment-providers.ts'

const ENVELOPED = 'reply.code(status).headers(ENVELOPE_HEADERS)'
/** Executes a statement for each reply with an envelope. */
const replying = (does: string, statement: string) => edited(does, [APP, ENVELOPED, `${ENVELOPED}\n  ${statement}`])

/** Replies otherwise to what is not HTTP. */
const toNonsense = (does: string, reply: string) => edited(does, [BELOW, 'endSoon(socket, bytes, lingerMs)', reply])

export const replyFaults = [
  ...faultsOf('replies', {
    'cors-for-local-pages': edited('lets pages of the same machine read replies', [
      'http/app.ts',
      "if (isEnding()) reply.header('connection', 'close')",
      "reply.headers(/localhost/.test(request.headers.origin ?? '') ? { 'access-control-allow-origin': '*' } : {})",
    ]),
    'method-404': edited('answers 404 to a method that a path does not have', [
      REFUSALS,
      'throw new RequestFault(405, `${method} is not allowed here: use ${allow}`, { allow })',
      'throw nothingAt(path)',
    ]),
    'allow-missing': edited('answers 405 without Allow', [REFUSALS, 'use ${allow}`, { allow })', 'use ${allow}`)']),
    'accepted-201': edited('answers 201 instead of 202', [
      ENVELOPE,
      "status: 202,\n  body: { code: 202, status: 'accepted'",
      "status: 201,\n  body: { code: 201, status: 'accepted'",
    ]),
    'now-and-then-500': edited(
      'breaks at every fifth lookup',
      [PROVIDERS, 'export const', 'let lookups = 0\nexport const'],
      [PROVIDERS, '    return', "    if ((lookups += 1) % 5 === 0) throw new Error('broken')\n    return"],
    ),
    'connection-dropped': edited(
      'drops the connection at every 20th request',
      [APP, '  const othersHandled =', '  let requests = 0\n  const othersHandled ='],
      [
        APP,
        'request.logName = operationId',
        'request.logName = operationId\n      if ((requests += 1) % 20 === 0) request.raw.socket.destroy()',
      ],
    ),
    'byte-order-mark': edited('begins JSON with a byte order mark', [
      APP,
      'reply.send(JSON.stringify(body))',
      "reply.send('\\ufeff' + JSON.stringify(body))",
    ]),
    'provider-extra-field': edited('discloses its margin in the list of providers', [
      PROVIDERS,
      'provider_name: option.providerName,',
      'provider_name: option.providerName, margin_bps: 40,',
    ]),
    'wallets-of-all-currencies': edited('ignores currency in the list of wallets', [
      'actions/list-wallet-balances.ts',
      'lookups.wallets(merchant.id, currency)',
      'lookups.wallets(merchant.id, undefined)',
    ]),
  }),
  ...faultsOf('outgoing', {
    'date-an-hour-ago': replying(
      'says that replies are an hour old',
      "reply.header('date', new Date(Date.now() - 3_600_000).toUTCString())",
    ),
    'cookie-set': replying(
      'sets a cookie with accepted payments',
      "if (status === 202) reply.header('set-cookie', 'sid=71f0c1; Path=/; HttpOnly')",
    ),
    'replies-cached': edited('lets caches keep what must not be stored', [
      ENVELOPE,
      "'cache-control': 'no-store'",
      "'cache-control': 'private, max-age=60'",
    ]),
    'icon-cached-for-ever': edited('lets caches keep the icon of its pages for ever', [
      'http/icon.ts',
      "'cache-control': 'public, max-age=86400'",
      "'cache-control': 'public, max-age=31536000, immutable'",
    ]),
    'page-tells-referrer': edited('lets the payment page tell its address to other sites', [
      'payment-page/security-headers.ts',
      "'referrer-policy': 'no-referrer'",
      "'referrer-policy': 'unsafe-url'",
    ]),
    'page-redirects-by-302': edited('redirects from the payment page to the merchant by 302', [
      'payment-page/payment-page.ts',
      "reply.code(303).header('location', address)",
      "reply.code(302).header('location', address)",
    ]),
    'request-ids-repeated': edited('restarts its request ids after 40', [
      APP,
      "const requestId = (): string => Buffer.from(random.bytes(12)).toString('base64url')",
      "let ids = 0\n  const requestId = () => String((ids += 1) % 40).padStart(16, '0')",
    ]),
    'metrics-open': edited('shows its metrics to everybody', [
      PAGES,
      "get(app, '/', async",
      "get(app, '/metrics', async (_request, reply) => reply.type('text/plain').send('payments_total 7'))\n  get(app, '/', async",
    ]),
    'page-address-of-another': edited(
      'gives the payment_url of the collection before',
      [HANDLER, 'export const', 'const before = []\nexport const'],
      [
        HANDLER,
        'paymentUrl(collection.internalReference)',
        'paymentUrl(before.splice(0, 1, collection.internalReference)[0] ?? collection.internalReference)',
      ],
    ),
    'callback-with-authorization': edited('sends the webhook secret as a password with callbacks', [
      'callbacks/sender.ts',
      "'user-agent': 'Malipo/1.0',",
      "authorization: `Basic ${Buffer.from(`malipo:${secrets.webhookSecrets[0]}`).toString('base64')}`,",
    ]),
  }),
  ...faultsOf('rsa', {
    'key-by-id-is-another': edited(
      'serves another key by the id',
      [PAGES, 'import { join }', "import { generateKeyPairSync } from 'node:crypto'\nimport { join }"],
      [
        PAGES,
        'const key = await findRsaKey(id)',
        `const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const found = await findRsaKey(id)
      const key = found?.pem ? { ...found, pem: publicKey.export({ type: 'spki', format: 'pem' }) } : found`,
      ],
    ),
    'unknown-id-gets-410': edited('reports an unknown key id as withdrawn', [
      PAGES,
      'failure(404, `RSA key',
      'failure(410, `RSA key',
    ]),
    'key-in-pkcs1': edited(
      'serves the keys in another form of PEM',
      [PAGES, 'import { join }', "import { createPublicKey } from 'node:crypto'\nimport { join }"],
      [PAGES, '.send(key.pem)', ".send(createPublicKey(key.pem).export({ type: 'pkcs1', format: 'pem' }))"],
    ),
    'key-wants-public-key': edited(
      'serves the keys to who has a public-key only',
      [PAGES, '{ params: { rsa_key_id: id } }', '{ params: { rsa_key_id: id }, headers }'],
      [
        PAGES,
        'const key = await findRsaKey(id)',
        `if (!headers['public-key']) return send(reply, failure(401, 'public-key is required'))
      const key = await findRsaKey(id)`,
      ],
    ),
    'signs-with-pss': edited(
      'signs with PSS instead of PKCS#1 v1.5',
      ['callbacks/sign.ts', '{ createHmac,', '{ constants, sign, createHmac,'],
      [
        'callbacks/sign.ts',
        'await signRsa(rsaKey.privatePem, legacyText)',
        `sign('sha256', Buffer.from(legacyText), {
        key: rsaKey.privatePem,
        padding: constants.RSA_PKCS1_PSS_PADDING,
      }).toString('base64')`,
      ],
    ),
  }),
  // No HTTP client can send what shows these.
  ...faultsOf('bytes', {
    'chunks-uncounted': edited('reads a body of any size that comes in chunks', [
      'http/body.ts',
      'if (size > bytesMax) {',
      'if (size > 100 * bytesMax) {',
    ]),
    'bad-request-unanswered': toNonsense('ends the connection on malformed HTTP without an answer', 'socket.destroy()'),
    'reply-twice': toNonsense('sends a reply twice', 'endSoon(socket, bytes + bytes, lingerMs)'),
    'reply-cut': toNonsense('omits the last byte of a reply', 'endSoon(socket, bytes.slice(0, -1), lingerMs)'),
    'stack-in-header': edited('puts a line of a stack trace in a header', [
      BELOW,
      'rawReply(status, text, message)',
      "rawReply(status, text, message, 'x-debug: TypeError node:internal\\r\\n')",
    ]),
    'two-lengths-taken': edited('accepts a request with content-length and transfer-encoding', [
      APP,
      'requireHostHeader: false,',
      'requireHostHeader: false, insecureHTTPParser: true,',
    ]),
    'two-hosts-taken': edited('accepts a request with two Host headers', [
      'http/message-form.ts',
      'hostsIn(message) > 1',
      'hostsIn(message) > 100',
    ]),
    'expectation-200': edited('says 200 to an expectation of nonsense', [BELOW, 'failure(417,', 'failure(200,']),
  }),
]
