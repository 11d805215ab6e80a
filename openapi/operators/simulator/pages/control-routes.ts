import type { FastifyInstance, FastifyReply } from 'fastify'
import { isObject } from '../../../reading/json.ts'
import { readJson } from '../json.ts'
import type { Parts } from '../parts.ts'
import { railEnv, railRecord } from '../rail-command.ts'
import { readScenarios, WrongScenario } from '../scenarios/read.ts'
import { SCENARIOS_SCHEMA } from '../scenarios/schema.ts'
import { isAmount } from '../world/decimal.ts'
import { fieldsOf, isForeign, wantsPage } from './form.ts'
import { PAGE_HEADERS } from './layout.ts'
import { exchangesPage, ordersPage, startPage } from './overview.ts'
import { statementCsv } from './statement-csv.ts'
import { exchangeView, orderViews } from './json-views.ts'

type Query = Readonly<Record<string, string | undefined>>

const page = (reply: FastifyReply, markup: string): FastifyReply => reply.headers(PAGE_HEADERS).send(markup)
const wrong = (reply: FastifyReply, faults: readonly string[], status = 400): FastifyReply =>
  reply.status(status).send({ errors: faults })

/** Controls that the operator does not have: its clock, books and faults, for whoever tests against it. */
export function controlRoutes(app: FastifyInstance, parts: Parts): void {
  app.addHook('onRequest', async (request, reply) => {
    const isOurs = /^\/(simulator|phone)(\/|$)/.test(request.url)
    if (isOurs && request.method !== 'GET' && isForeign(request))
      return reply.status(403).send({ errors: ['a page of another site must not send this'] })
  })
  app.get('/', (request, reply) => page(reply, startPage(parts, `http://${request.host}`)))
  bookRoutes(app, parts)
  clockRoutes(app, parts)
  scenarioRoutes(app, parts)
}

function bookRoutes(app: FastifyInstance, { operator, open, world }: Parts): void {
  app.get('/simulator/orders', (request, reply) => {
    const { external_id: externalId, msisdn, id } = request.query as Query
    const orders = world.orders
      .all()
      .filter(
        (order) =>
          (externalId === undefined || order.externalId === externalId) &&
          (msisdn === undefined || order.msisdn === msisdn) &&
          (id === undefined || order.id.toLowerCase() === id.toLowerCase()),
      )
    return wantsPage(request) ? page(reply, ordersPage(orders)) : reply.send(orderViews(orders))
  })

  app.get('/simulator/exchanges', (request, reply) => {
    const exchanges = world.exchanges.all()
    if (wantsPage(request)) return page(reply, exchangesPage(exchanges))
    return reply.send({ exchanges: exchanges.map(exchangeView) })
  })

  app.get('/simulator/statement.csv', (request, reply) => {
    const { from, to, account } = request.query as Query
    const period = {
      ...(from !== undefined && { from: new Date(from) }),
      ...(to !== undefined && { to: new Date(to) }),
      ...(account !== undefined && { account }),
    }
    const faults = Object.entries({ from: period.from, to: period.to })
      .filter(([, date]) => date !== undefined && Number.isNaN(date.getTime()))
      .map(([name]) => `${name} is no date: 2026-11-22 or 2026-11-22T10:00:00Z`)
    if (faults.length > 0) return wrong(reply, faults)
    return reply.type('text/csv; charset=utf-8').send(statementCsv(operator, world.statement.lines(period)))
  })

  app.get('/simulator/files/:name', (request, reply) => {
    const { name } = request.params as { name: string }
    const text = new Map(Object.entries(open.files ?? {})).get(name)
    if (text === undefined) return wrong(reply, [`there is no file ${name}`], 404)
    return reply.type('text/plain; charset=utf-8').send(text)
  })

  app.get('/simulator/rail.env', (_request, reply) => reply.type('text/plain; charset=utf-8').send(railEnv(open)))

  app.get('/simulator/rail.json', (_request, reply) => reply.send(railRecord(operator, open)))

  accountRoutes(app, world)

  app.post('/simulator/callback-url', (request, reply) => {
    const body = jsonOf(request.body)
    const { url, country } = isObject(body) ? body : {}
    if (!open.setCallbackUrl) return wrong(reply, ['this operator gets an address with every order'], 404)
    if (typeof url !== 'string' || !URL.canParse(url)) return wrong(reply, ['url is an address'])
    open.setCallbackUrl(url, typeof country === 'string' ? country : undefined)
    return reply.status(204).send()
  })
}

/** What the merchant and its customers have. */
function accountRoutes(app: FastifyInstance, world: Parts['world']): void {
  app.get('/simulator/accounts', (_request, reply) => reply.send({ accounts: world.accounts.all() }))
  app.post('/simulator/accounts/top-up', (request, reply) => {
    const fields = fieldsOf(request)
    const [account, amount] = [fields.get('account') ?? '', (fields.get('amount') ?? '').trim()]
    if (!Object.hasOwn(world.accounts.all(), account) || !isAmount(amount))
      return wrong(reply, ["account is one of the merchant's, amount a decimal number in main units"])
    world.accounts.change(account, amount)
    return reply.redirect('/', 303)
  })
  app.post('/simulator/accounts', (request, reply) => {
    const body = jsonOf(request.body)
    const { account, msisdn, balance } = isObject(body) ? body : {}
    if (typeof balance !== 'string' || !isAmount(balance))
      return wrong(reply, ['balance is a decimal number in main units, as a text'])
    if (typeof msisdn === 'string') world.accounts.setCustomerBalance(msisdn, balance)
    else if (typeof account === 'string' && account in world.accounts.all()) world.accounts.setBalance(account, balance)
    else return wrong(reply, [`account is one of ${Object.keys(world.accounts.all()).join(', ')}, or msisdn is there`])
    return reply.send({ accounts: world.accounts.all() })
  })
}

function clockRoutes(app: FastifyInstance, { world, callbacks }: Parts): void {
  app.get('/simulator/clock', (_request, reply) => reply.send({ now: world.clock.now().toISOString() }))
  app.post('/simulator/clock', async (request, reply) => {
    const body = jsonOf(request.body)
    const advanceMs = isObject(body) ? body.advance_ms : undefined
    if (typeof advanceMs !== 'number' || !Number.isInteger(advanceMs) || advanceMs < 0)
      return wrong(reply, ['advance_ms is a whole number of milliseconds, 0 or more'])
    world.clock.advance(advanceMs)
    // Whoever moves the time wants to see the effect.
    await callbacks.idle()
    return reply.send({ now: world.clock.now().toISOString() })
  })
}

function scenarioRoutes(app: FastifyInstance, { operator, open, scenarios }: Parts): void {
  const knows = { operations: Object.keys(open.handlers), quirks: Object.keys(operator.quirks) }
  app.get('/simulator/scenarios', (_request, reply) => reply.send({ scenarios: scenarios.all() }))
  app.get('/simulator/scenarios/schema', (_request, reply) => reply.send(SCENARIOS_SCHEMA))
  app.post('/simulator/scenarios', (request, reply) => {
    try {
      return reply.status(201).send({ scenarios: scenarios.add(readScenarios(jsonOf(request.body), knows)) })
    } catch (error) {
      if (error instanceof WrongScenario) return wrong(reply, error.faults)
      throw error
    }
  })
  app.delete('/simulator/scenarios', (_request, reply) => {
    scenarios.clear()
    return reply.status(204).send()
  })
  app.delete('/simulator/scenarios/:id', (request, reply) => {
    const { id } = request.params as { id: string }
    return scenarios.remove(Number(id)) ? reply.status(204).send() : wrong(reply, [`there is no scenario ${id}`], 404)
  })
}

const jsonOf = (body: unknown): unknown =>
  body instanceof Uint8Array ? readJson(Buffer.from(body).toString('utf8')) : undefined
