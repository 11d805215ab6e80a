import type { ExchangeReport, OperatorExchange } from '../../actions/ports/operator-exchanges.ts'
import { SANDBOX_POLICY } from '../../outbound/outbound-guard.ts'
import { fixedClock } from '../../verification/testing/gateway.ts'
import { systemTimers } from '../../start/timers.ts'
import { createCircuit } from '../circuit.ts'
import { createExchange, type ExchangeOptions } from '../exchange/exchange.ts'
import { parseOperatorContract } from '../operator-contract.ts'

export const SECRET = 's3cr3t-of-the-rail-account'

const order = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** An operator that takes orders and returns their status. */
const sampleContract = parseOperatorContract(
  JSON.stringify({
    paths: {
      '/orders': { post: { operationId: 'addOrder', responses: { 202: {}, 409: json(order), 503: json(order) } } },
      '/orders/{id}': {
        get: { operationId: 'getOrder', responses: { 200: json(order), 404: json(order), 500: json(order) } },
      },
    },
  }),
)

/** The real exchange with an operator at `baseUrl`, and the reports that it made. */
export function sampleExchange(baseUrl: string, more: Partial<ExchangeOptions> = {}) {
  const clock = fixedClock()
  const recorded: OperatorExchange[] = []
  const reported: ExchangeReport[] = []
  const circuit = createCircuit(clock)
  const exchange = createExchange({
    railAccount: { name: 'mtn-ug', baseUrl, secrets: [SECRET] },
    contract: sampleContract,
    policy: SANDBOX_POLICY,
    circuit,
    record: { add: (each) => void recorded.push(each) },
    onExchange: (call) => void reported.push(call),
    clock,
    timers: systemTimers,
    ...more,
  })
  return {
    clock,
    circuit,
    recorded,
    reported,
    outcomes: () => reported.map(({ outcome }) => outcome),
    close: () => exchange.close(),
    fetchFor: exchange.fetchFor,
    submit: (init: RequestInit = { body: '{}' }, path = '/orders') =>
      exchange.fetchFor({ purpose: 'submit', orderId: 'o-1' })(
        new Request(baseUrl + path, { method: 'POST', ...init }),
      ),
    ask: (path = '/orders/1') => exchange.fetchFor({ purpose: 'ask', orderId: 'o-1' })(new Request(baseUrl + path)),
    check: () => exchange.fetchFor({ purpose: 'check' })(new Request(`${baseUrl}/orders/1`)),
  }
}
