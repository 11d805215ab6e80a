import type { FastifyInstance } from 'fastify'
import type { Parts } from '../parts.ts'
import { isAmount } from '../world/decimal.ts'
import type { Decision, Order } from '../world/order.ts'
import { payUnrequested } from '../unrequested.ts'
import type { OperatorState } from '../world/world.ts'
import { fieldsOf } from './form.ts'
import { PAGE_HEADERS } from './layout.ts'
import { LIVE_SCRIPT } from './live-script.ts'
import { phonePage, phonesPage, PIN, type PhoneView } from './phone.ts'

const MSISDN = /^\d{6,15}$/
const DECISIONS: readonly string[] = ['approved', 'wrong_pin', 'cancelled', 'expired'] satisfies Decision[]

/** The customers' side: the screens of their phones, and their replies. */
export function phoneRoutes(app: FastifyInstance, parts: Parts): void {
  const { world, lifecycle } = parts

  app.get('/phone/live.js', (_request, reply) => reply.type('text/javascript').send(LIVE_SCRIPT))

  app.get('/phone', (_request, reply) => reply.headers(PAGE_HEADERS).send(phonesPage(listed(world))))

  app.get('/phone/open', (request, reply) => {
    const { msisdn = '' } = request.query as { msisdn?: string }
    const digits = msisdn.replace(/[\s+-]/g, '')
    if (MSISDN.test(digits)) return reply.redirect(`/phone/${digits}`, 303)
    return reply
      .status(400)
      .headers(PAGE_HEADERS)
      .send(phonesPage(listed(world), 'That is not a number: 6 to 15 digits.'))
  })

  app.get('/phone/:msisdn', (request, reply) => {
    const { msisdn } = request.params as { msisdn: string }
    if (!MSISDN.test(msisdn)) return reply.redirect('/phone', 303)
    return reply.headers(PAGE_HEADERS).send(phonePage(viewOf(parts, msisdn)))
  })

  app.post('/phone/:msisdn', (request, reply) => {
    const { msisdn } = request.params as { msisdn: string }
    const fields = fieldsOf(request)
    const order = waitingFor(world, msisdn).find(({ id }) => id === fields.get('order'))
    const wanted = fields.get('decision') ?? ''
    // It was decided before, or its time is over: the page shows the outcome.
    if (order === undefined || !isDecision(wanted)) return reply.redirect(`/phone/${msisdn}`, 303)
    const again = (text: string) =>
      reply
        .status(400)
        .headers(PAGE_HEADERS)
        .send(phonePage({ ...viewOf(parts, msisdn), fault: { orderId: order.id, text } }))
    const pin = (fields.get('pin') ?? '').trim()
    if (wanted === 'approved' && pin === '') return again('Enter the PIN to approve.')
    lifecycle.decide(order, wanted === 'approved' && pin !== PIN ? 'wrong_pin' : wanted)
    if (order.state === 'waiting') return again('That PIN is wrong.')
    return reply.redirect(`/phone/${msisdn}`, 303)
  })

  moneyRoutes(app, parts)
}

/** What customers have, and what they pay without being asked. */
function moneyRoutes(app: FastifyInstance, parts: Parts): void {
  const { world } = parts
  app.post('/phone/:msisdn/payments', async (request, reply) => {
    const { msisdn } = request.params as { msisdn: string }
    if (!MSISDN.test(msisdn)) return reply.redirect('/phone', 303)
    const fields = fieldsOf(request)
    const field = (name: string) => (fields.get(name) ?? '').trim()
    const [account, amount, reference] = [field('account'), field('amount'), field('reference')]
    const unpaid = await payUnrequested(parts, { msisdn, account, amount, reference })
    if (unpaid === undefined) return reply.redirect(`/phone/${msisdn}`, 303)
    return reply
      .status(400)
      .headers(PAGE_HEADERS)
      .send(phonePage({ ...viewOf(parts, msisdn), unpaid }))
  })

  app.post('/phone/:msisdn/balance', (request, reply) => {
    const { msisdn } = request.params as { msisdn: string }
    const balance = (fieldsOf(request).get('balance') ?? '').trim()
    if (MSISDN.test(msisdn) && isAmount(balance)) world.accounts.setCustomerBalance(msisdn, balance)
    return reply.redirect(`/phone/${msisdn}`, 303)
  })
}

const isRequested = ({ asks: requests, state }: Order): boolean => requests && state === 'waiting'

const waitingFor = ({ orders }: OperatorState, msisdn: string): readonly Order[] =>
  orders.of(msisdn).filter(isRequested)

const viewOf = ({ operator, world }: Parts, msisdn: string): PhoneView => ({
  operator,
  msisdn,
  now: world.clock.now(),
  waiting: waitingFor(world, msisdn),
  messages: world.phones.messages(msisdn),
  balance: world.accounts.customerBalance(msisdn),
  accounts: Object.keys(world.accounts.all()),
})

/** The phones with prompts or messages, those with prompts first. */
function listed(world: OperatorState) {
  const requested = world.orders.all().filter(isRequested)
  const numbers = new Set([...requested.map(({ msisdn }) => msisdn), ...world.phones.numbers()])
  return [...numbers].map((msisdn) => ({ msisdn, waiting: waitingFor(world, msisdn).length }))
}

const isDecision = (text: string): text is Decision => DECISIONS.includes(text)
