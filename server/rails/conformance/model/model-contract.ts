import { parseOperatorContract } from '../../operator-contract.ts'

const json = (description: string) => ({
  description,
  content: { 'application/json': { schema: { type: 'object' } } },
})
const call = (operationId: string, ...statuses: readonly number[]) => ({
  operationId,
  responses: Object.fromEntries(statuses.map((status) => [String(status), json('a reply')])),
})
const message = (operationId: string) => ({
  post: { operationId, requestBody: json('a message'), responses: { '200': json('taken') } },
})

/** What the model operator takes and says: the kit reads it as it reads the contract of a real one. */
export const MODEL_CONTRACT = parseOperatorContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Model operator of the conformance kit', version: '1' },
    paths: {
      '/token': { post: call('token', 200, 401) },
      '/orders': { post: call('order', 200, 400, 401, 409) },
      '/orders/{id}': { get: call('query', 200, 401, 404) },
      '/payments/{receipt}': { get: call('payment', 200, 401, 404) },
      '/balance': { post: call('balance', 200, 401) },
    },
    webhooks: { message: message('message') },
  }),
)
