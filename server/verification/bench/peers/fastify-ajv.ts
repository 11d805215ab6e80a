// The peer of the gateway, a process of its own: `node server/verification/bench/peers/fastify-ajv.ts <port>`. It is what
// a good developer writes by hand for one operation: the same key check, the same validation by a compiled schema, the
// same reply built from rows in memory with its request id, one line in the log. With DATABASE_URL, that of a gateway, it
// also answers verify requests and accepts collections: one prepared statement per request, on as many connections as the
// gateway has. An accepted collection is one row in a table like pgbench's, without the uniqueness of references, without
// limits and without jobs. With CALLBACK_URL it is the floor under a whole payment (floor.ts).
import { Ajv } from 'ajv'
import { randomUUID } from 'node:crypto'
import fastify, { LogController } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { SANDBOX_PROVIDERS } from '../../../local/sandbox/providers.ts'
import { PUBLIC_KEY } from '../requests.ts'
import { createFloor, type FloorPayment } from './floor.ts'
import { COLUMNS, valuesOf } from './peer-row.ts'

const merchants = new Map([[PUBLIC_KEY, { id: 1n, providers: new Set(SANDBOX_PROVIDERS.map(({ code }) => code)) }]])

const ajv = new Ajv({ coerceTypes: true })
const validate = ajv.compile({
  type: 'object',
  required: ['currency', 'transaction_type', 'x-api-version'],
  properties: {
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    transaction_type: { type: 'string', enum: ['COLLECTION', 'PAYOUT'] },
    'x-api-version': { type: 'integer', enum: [1] },
    'accept-language': { type: 'string', maxLength: 255 },
  },
})

const app = fastify({
  loggerInstance: pino({ level: 'info' }, pino.destination(1)),
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: () => randomUUID(),
})
app.addHook('onResponse', (request, reply, done) => {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  )
  done()
})
app.get('/data/payment-providers', (request, reply) => {
  const merchant = merchants.get(String(request.headers['public-key']))
  if (!merchant) return reply.code(401).send(envelope(401, 'error', 'The public-key or secret-key is not valid', {}))
  const query = request.query as { currency: string; transaction_type: string }
  const given = {
    ...query,
    'x-api-version': request.headers['x-api-version'],
    'accept-language': request.headers['accept-language'],
  }
  if (!validate(given)) return reply.code(400).send(envelope(400, 'error', ajv.errorsText(validate.errors), {}))
  const providers = SANDBOX_PROVIDERS.filter(
    ({ code, currency }) => currency === query.currency && merchant.providers.has(code),
  )
  const payment_providers = providers.map((provider) => ({
    provider_name: provider.name,
    provider_code: provider.code,
    transaction_method: provider.method,
    transaction_method_name: provider.method === 'BANK' ? 'Bank' : 'Mobile Money',
    transaction_type: query.transaction_type === 'COLLECTION' ? 'Collection' : 'Payout',
    transaction_currency: provider.currency,
    min_amount: provider.min,
    max_amount: provider.max,
    max_daily_amount: provider.daily,
    is_active: true,
    option_prefixes: provider.prefixes,
  }))
  reply.header('x-request-id', request.id)
  return reply
    .code(200)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(envelope(200, 'success', 'Payment providers retrieved successfully', { payment_providers })))
})

const validateVerify = ajv.compile({
  type: 'object',
  required: ['merchant_reference', 'x-api-version'],
  properties: {
    merchant_reference: { type: 'string', minLength: 1, maxLength: 100 },
    'x-api-version': { type: 'integer', enum: [1] },
    'accept-language': { type: 'string', maxLength: 255 },
  },
})
const connectionString = process.env['DATABASE_URL']
const pool = connectionString ? new pg.Pool({ connectionString, max: 16 }) : undefined
if (pool)
  app.get('/data/transaction/verify/:merchant_reference', async (request, reply) => {
    const merchant = merchants.get(String(request.headers['public-key']))
    if (!merchant) return reply.code(401).send(envelope(401, 'error', 'The public-key or secret-key is not valid', {}))
    const given = {
      ...(request.params as { merchant_reference: string }),
      'x-api-version': request.headers['x-api-version'],
      'accept-language': request.headers['accept-language'],
    }
    if (!validateVerify(given))
      return reply.code(400).send(envelope(400, 'error', ajv.errorsText(validateVerify.errors), {}))
    const { rows } = await pool.query<Record<string, string | boolean>>({
      name: 'verify',
      text: `select t.* from transaction_references r join transactions t on t.id = r.transaction_id
             where r.merchant_id = $1 and r.merchant_reference = $2`,
      values: [merchant.id, given.merchant_reference],
    })
    const [row] = rows
    if (!row) return reply.code(404).send(envelope(404, 'error', 'Transaction was not found', {}))
    reply.header('x-request-id', request.id)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(envelope(200, 'success', 'Transaction retrieved successfully', recordOf(row))))
  })

const validateCollection = ajv.compile({
  type: 'object',
  required: [
    'transaction_method',
    'provider_code',
    'merchant_reference',
    'msisdn',
    'currency',
    'amount',
    'description',
  ],
  properties: {
    transaction_method: { type: 'string', enum: ['MOBILE_MONEY', 'BANK'] },
    provider_code: { type: 'string', minLength: 1, maxLength: 50 },
    merchant_reference: { type: 'string', minLength: 1, maxLength: 100 },
    msisdn: { type: 'string', pattern: '^[0-9]{9,15}$' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    amount: { type: 'number', exclusiveMinimum: 0 },
    description: { type: 'string', minLength: 1, maxLength: 255 },
    customer_name: { type: 'string', maxLength: 100 },
  },
})
const callbackUrl = process.env['CALLBACK_URL']
const floor =
  pool && callbackUrl ? createFloor(pool, { callbackUrl, delayMs: Number(process.env['RAIL_DELAY_MS']) }) : undefined
if (pool)
  app.post('/collections/initialize', async (request, reply) => {
    const merchant = merchants.get(String(request.headers['public-key']))
    if (!merchant) return reply.code(401).send(envelope(401, 'error', 'The public-key or secret-key is not valid', {}))
    if (!validateCollection(request.body))
      return reply.code(400).send(envelope(400, 'error', ajv.errorsText(validateCollection.errors), {}))
    const { merchant_reference, msisdn } = request.body as Omit<FloorPayment, 'internal_reference'>
    const internal_reference = `MLP${randomUUID()}`
    if (floor) await floor({ merchant_reference, internal_reference, msisdn })
    else
      await pool.query({
        name: 'accept',
        text: `insert into bench_peer (${COLUMNS}) values (${valuesOf('$1', '$2', '$3')})`,
        values: [merchant_reference, internal_reference, msisdn],
      })
    reply.header('x-request-id', request.id)
    return reply
      .code(202)
      .header('content-type', 'application/json; charset=utf-8')
      .send(
        JSON.stringify(
          envelope(202, 'accepted', 'Collection initiated successfully', {
            internal_reference,
            merchant_reference,
            transaction_status: 'PENDING',
          }),
        ),
      )
  })

const recordOf = (row: Record<string, string | boolean>) => ({
  id: Number(row['id']),
  merchant_reference: row['merchant_reference'],
  internal_reference: row['internal_reference'],
  request_currency: row['request_currency'],
  request_amount: Number(row['request_amount_minor']),
  transaction_amount: Number(row['amount_minor']),
  transaction_currency: row['currency'],
  transaction_charge: Number(row['charge_minor']),
  transaction_account: row['account'],
  provider_code: row['provider_code'],
  transaction_status: row['status'],
  status_message: row['status_message'],
  transaction_type: row['type'],
  charge_customer: row['charge_customer'],
  total_credit: Number(row['total_minor']),
  customer_name: row['customer_name'],
})

const envelope = (code: number, status: string, message: string, data: object) => ({ code, status, message, data })

await app.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
process.once('SIGTERM', () => void app.close().then(() => pool?.end()))
