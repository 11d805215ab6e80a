import { expect, test } from 'vitest'
import { plainBundle } from './plain-bundle.ts'

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const body = { required: true, content: { 'application/json': { schema: ref('schemas', 'Order') } } }
const page = { name: 'page', in: 'query', schema: { type: 'string' } }
const contract = {
  openapi: '3.1.0',
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        parameters: [ref('parameters', 'Page')],
        requestBody: ref('requestBodies', 'Order'),
        responses: { 201: ref('responses', 'Ordered') },
        callbacks: { done: ref('callbacks', 'Done') },
      },
    },
  },
  components: {
    schemas: { Order: { type: 'object' } },
    parameters: { Page: page, Echoed: { name: 'told', in: 'query', schema: { type: 'string' } } },
    requestBodies: { Order: body },
    responses: { Ordered: { description: 'Ordered.' } },
    callbacks: { Done: { '{$url}': { get: { operationId: 'done', parameters: [ref('parameters', 'Echoed')] } } } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'key' } },
  },
}

test('inlines bodies and callbacks with their parameters, and keeps every other $ref', () => {
  const { callbacks: _done, requestBodies: _bodies, ...components } = contract.components
  expect(JSON.parse(plainBundle(JSON.stringify(contract)))).toEqual({
    ...contract,
    paths: {
      '/orders': {
        post: {
          ...contract.paths['/orders'].post,
          requestBody: body,
          callbacks: {
            done: { '{$url}': { get: { operationId: 'done', parameters: [contract.components.parameters.Echoed] } } },
          },
        },
      },
    },
    components: { ...components, parameters: { Page: page } },
  })
})
