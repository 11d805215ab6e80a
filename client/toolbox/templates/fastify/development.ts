import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { carryOut, type Development } from '../shop/development.ts'

/**
 * For `malipo-dev check` and `certify`, and for trying payouts. Registered in development only: it lets anybody create orders and
 * send money.
 */
export function serveDevelopment(app: FastifyInstance, development: Development): void {
  const { malipo, orders } = development
  app.get('/dev/effects', async () => orders.fulfilments())

  app.post('/dev/effects', async ({ body }, reply) => {
    if (await carryOut(body, development)) return reply.code(204).send()
    return reply.code(400).send({ error: 'merchant_reference, transaction_type, amount and currency are required' })
  })

  app.post('/dev/payouts', async (_request, reply) => {
    const reference = `PAYOUT-${randomUUID().slice(9)}`
    orders.addPayout(reference) // before it is sent: the handshake looks it up
    await malipo.payouts.send({
      transaction_method: 'MOBILE_MONEY',
      provider_code: 'mtn_ug',
      merchant_reference: reference,
      account_number: '256772000123',
      customer_name: 'Amina Nakato',
      currency: 'UGX',
      amount: 5_000,
      description: 'Coffee farmer March',
    })
    return reply.code(202).send({ merchant_reference: reference })
  })
}
